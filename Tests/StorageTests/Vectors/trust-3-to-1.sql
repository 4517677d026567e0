-- Takes trust.db back to schema 1. For tests of an upgrade.
BEGIN IMMEDIATE;
ALTER TABLE enrolled DROP COLUMN user_verification;
ALTER TABLE publication DROP COLUMN applied_at;
PRAGMA user_version = 1;
COMMIT;
