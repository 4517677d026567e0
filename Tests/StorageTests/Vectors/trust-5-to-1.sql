-- Takes trust.db back to schema 1. For tests of an upgrade.
BEGIN IMMEDIATE;
ALTER TABLE publication DROP COLUMN plain_cards;
DROP TABLE plain_card;
ALTER TABLE publication DROP COLUMN memberships;
ALTER TABLE publication DROP COLUMN rules;
ALTER TABLE publication DROP COLUMN origin;
DROP TABLE membership;
DROP TABLE rule;
ALTER TABLE enrolled DROP COLUMN revoked;
ALTER TABLE enrolled DROP COLUMN user_verification;
ALTER TABLE publication DROP COLUMN applied_at;
PRAGMA user_version = 1;
COMMIT;
