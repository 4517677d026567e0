-- Takes journal.db back to schema 1, as a gate of 0.1.0's first days wrote it. For tests of an upgrade.
BEGIN IMMEDIATE;
DROP INDEX main_record_by_reason;
DROP INDEX unproven_record_by_reason;
DROP TABLE presence;
DROP TABLE state;
DROP TABLE collection;
CREATE TABLE older_window (
    lane TEXT NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL,
    first_wall INTEGER NOT NULL, last_wall INTEGER NOT NULL, last_monotonic INTEGER NOT NULL,
    PRIMARY KEY (lane, reason)
) STRICT, WITHOUT ROWID;
INSERT INTO older_window SELECT lane, reason, count, first_wall, last_wall, last_monotonic FROM failure_window WHERE assurance = '';
DROP TABLE failure_window;
ALTER TABLE older_window RENAME TO failure_window;
PRAGMA user_version = 1;
COMMIT;
PRAGMA wal_checkpoint(TRUNCATE);
