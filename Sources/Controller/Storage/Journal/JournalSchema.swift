extension DatabaseSchema {
    /// `journal.db`. The columns beside `body` repeat what the body says, for reading with conditions;
    /// the hash covers the body, and verification compares the two.
    static let journal = DatabaseSchema(
        applicationIdentifier: 0x5453_4a4e, // "TSJN"
        name: "journal",
        steps: [
            """
            CREATE TABLE main_record (
                sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, wall INTEGER NOT NULL, lane TEXT, reason TEXT,
                body BLOB NOT NULL, hash BLOB NOT NULL
            ) STRICT;
            CREATE TABLE unproven_record (
                sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, wall INTEGER NOT NULL, lane TEXT, reason TEXT,
                body BLOB NOT NULL, hash BLOB NOT NULL
            ) STRICT;
            CREATE TABLE anchor (
                partition TEXT PRIMARY KEY, sequence INTEGER NOT NULL, hash BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE open_attempt (
                sequence INTEGER PRIMARY KEY, body BLOB NOT NULL
            ) STRICT;
            CREATE TABLE failure_window (
                lane TEXT NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL,
                first_wall INTEGER NOT NULL, last_wall INTEGER NOT NULL, last_monotonic INTEGER NOT NULL,
                PRIMARY KEY (lane, reason)
            ) STRICT, WITHOUT ROWID;
            """,
            // A reason is looked for when something is wrong, and is rare then. Grants, and attempts without a
            // reason, are most of the records: they are found without an index and cost none.
            """
            CREATE INDEX main_record_by_reason ON main_record (reason)
                WHERE reason IS NOT NULL AND reason <> 'granted';
            CREATE INDEX unproven_record_by_reason ON unproven_record (reason)
                WHERE reason IS NOT NULL AND reason <> 'granted';
            """,
            // The state that records lead to: who is in which zone, and small values such as a lane's mode.
            """
            CREATE TABLE presence (
                zone TEXT NOT NULL, person BLOB NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (zone, person)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE state (
                kind TEXT NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (kind, name)
            ) STRICT, WITHOUT ROWID;
            """,
            // How much of the main chain was collected, and what went uncollected: one row.
            """
            CREATE TABLE collection (
                only INTEGER PRIMARY KEY CHECK (only = 1), through INTEGER NOT NULL, overwritten INTEGER NOT NULL
            ) STRICT;
            """,
            // Failures of UID-only cards are counted apart from those of phones; empty for the latter (V8).
            """
            CREATE TABLE counted_failures (
                lane TEXT NOT NULL, reason TEXT NOT NULL, assurance TEXT NOT NULL, count INTEGER NOT NULL,
                first_wall INTEGER NOT NULL, last_wall INTEGER NOT NULL, last_monotonic INTEGER NOT NULL,
                PRIMARY KEY (lane, reason, assurance)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO counted_failures SELECT lane, reason, '', count, first_wall, last_wall, last_monotonic FROM failure_window;
            DROP TABLE failure_window;
            ALTER TABLE counted_failures RENAME TO failure_window;
            """
        ])
}

extension JournalPartition {
    /// The table of its records.
    var table: String {
        switch self {
        case .main: "main_record"
        case .unproven: "unproven_record"
        }
    }
}
