import Storage

/// What the server remembers: `invitations.db`. One connection with the statements that were prepared on it; whoever has it is alone with it.
final class DeskDatabase {
    let connection: SQLiteConnection
    private var keptStatements: [String: SQLiteStatement] = [:]

    static let name = "invitations.db"

    static let schema = DatabaseSchema(
        applicationIdentifier: 0x5453_4944, // "TSID"
        name: "database of invitations",
        steps: [
            """
            CREATE TABLE desk (
                id INTEGER PRIMARY KEY CHECK (id = 1), site TEXT NOT NULL, issuer TEXT NOT NULL, nonce_key BLOB NOT NULL, made_at INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE invitation (
                id INTEGER PRIMARY KEY AUTOINCREMENT, code_hash BLOB NOT NULL UNIQUE, subject TEXT NOT NULL, places BLOB NOT NULL,
                not_before INTEGER, expires_at INTEGER NOT NULL, user_verified INTEGER NOT NULL, opens_until INTEGER NOT NULL, note TEXT NOT NULL,
                made_by TEXT NOT NULL, made_at INTEGER NOT NULL,
                state TEXT NOT NULL CHECK (state IN ('open', 'withdrawn', 'redeemed', 'suspended', 'revoked'))
            ) STRICT;
            CREATE TABLE access (
                invitation INTEGER PRIMARY KEY, thumbprint BLOB NOT NULL, key BLOB NOT NULL, user_verified INTEGER NOT NULL,
                redeemed_at INTEGER NOT NULL, is_current INTEGER NOT NULL DEFAULT 1
            ) STRICT;
            CREATE UNIQUE INDEX access_of_key ON access (thumbprint) WHERE is_current = 1;
            CREATE TABLE token (
                id INTEGER PRIMARY KEY, identifier BLOB NOT NULL UNIQUE, cti BLOB NOT NULL UNIQUE, invitation INTEGER NOT NULL,
                not_before INTEGER NOT NULL, expires_at INTEGER NOT NULL, issued_at INTEGER NOT NULL, bytes BLOB NOT NULL,
                is_taken_back INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX token_of_invitation ON token (invitation, id);
            CREATE INDEX token_end ON token (expires_at);
            CREATE INDEX token_taken_back ON token (expires_at) WHERE is_taken_back = 1;
            CREATE TABLE nonce (value BLOB PRIMARY KEY, made_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
            CREATE INDEX nonce_age ON nonce (made_at);
            CREATE TABLE operator (
                name TEXT PRIMARY KEY, salt BLOB NOT NULL, hash BLOB NOT NULL, changed_at INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE session (
                hash BLOB PRIMARY KEY, operator TEXT NOT NULL, expires_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE log (
                id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, who TEXT NOT NULL, action TEXT NOT NULL, invitation INTEGER,
                detail TEXT NOT NULL, hash BLOB NOT NULL
            ) STRICT;
            CREATE TRIGGER log_stays BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
            CREATE TRIGGER log_stays_whole BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
            """
        ])

    private static let cacheKibibytes = 2048

    /// Opens the file, which must exist; an empty one becomes a database.
    /// - Parameter patience: for how many milliseconds another program's transaction is waited for.
    init(path: String, patience: Int32) throws(StorageError) {
        connection = try SQLiteConnection(path: path, access: .readWrite, cacheKibibytes: Self.cacheKibibytes)
        connection.waitForLocks(milliseconds: patience)
        try connection.execute("PRAGMA journal_mode = WAL")
        // What was answered has to be there after a power cut.
        try connection.execute("PRAGMA synchronous = FULL")
        try Self.schema.migrate(connection)
    }

    /// A statement that is prepared once. Whoever takes it steps it to its end or resets it before anybody else takes it.
    func kept(_ sql: String) throws(StorageError) -> SQLiteStatement {
        if let statement = keptStatements[sql] { return statement }
        let statement = try connection.prepare(sql)
        keptStatements[sql] = statement
        return statement
    }

    /// Runs a statement that changes something.
    func run(_ sql: String, _ values: [DeskValue]) throws(StorageError) {
        let statement = try kept(sql)
        statement.bind(values)
        try statement.run()
    }

    /// The first row of a query, read by `read`; nil if there is none.
    func first<Row>(_ sql: String, _ values: [DeskValue], _ read: (SQLiteStatement) -> Row?) throws(StorageError) -> Row? {
        let statement = try kept(sql)
        defer { statement.reset() }
        statement.bind(values)
        guard try statement.step() else { return nil }
        guard let row = read(statement) else { throw Self.damaged }
        return row
    }

    /// All rows of a query.
    func all<Row>(_ sql: String, _ values: [DeskValue], _ read: (SQLiteStatement) -> Row?) throws(StorageError) -> [Row] {
        let statement = try kept(sql)
        defer { statement.reset() }
        statement.bind(values)
        var rows: [Row] = []
        while try statement.step() {
            guard let row = read(statement) else { throw Self.damaged }
            rows.append(row)
        }
        return rows
    }

    private static let damaged = StorageError(.corrupt, "The database of invitations holds what this program does not write.")
}

/// A value for a statement.
enum DeskValue {
    case number(Int64)
    case text(String)
    case bytes([UInt8])
    case nothing

    init(_ number: Int64?) { self = number.map(DeskValue.number) ?? .nothing }
    init(_ flag: Bool) { self = .number(flag ? 1 : 0) }
}

extension SQLiteStatement {
    fileprivate func bind(_ values: [DeskValue]) {
        for (place, value) in values.enumerated() {
            let index = Int32(place + 1)
            switch value {
            case .number(let number): bind(number, at: index)
            case .text(let text): bind(text, at: index)
            case .bytes(let bytes): bind(bytes, at: index)
            case .nothing: bind(Int64?.none, at: index)
            }
        }
    }
}
