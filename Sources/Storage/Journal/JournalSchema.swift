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
