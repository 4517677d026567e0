-- Takes journal.db back to schema 1, as a gate of 0.1.0's first days wrote it. For tests of an upgrade.
BEGIN IMMEDIATE;
DROP INDEX main_record_by_reason;
DROP INDEX unproven_record_by_reason;
DROP TABLE presence;
DROP TABLE state;
DROP TABLE collection;
PRAGMA user_version = 1;
COMMIT;
PRAGMA wal_checkpoint(TRUNCATE);
