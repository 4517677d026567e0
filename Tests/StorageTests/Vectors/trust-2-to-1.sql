-- Takes trust.db back to schema 1. For tests of an upgrade.
BEGIN IMMEDIATE;
ALTER TABLE publication DROP COLUMN applied_at;
PRAGMA user_version = 1;
COMMIT;
