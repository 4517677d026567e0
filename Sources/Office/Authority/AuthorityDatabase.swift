import Storage

/// What the authority remembers: one SQLite file, each change one durable transaction.
final class AuthorityDatabase {
    let connection: SQLiteConnection
    private var keptStatements: [String: SQLiteStatement] = [:]
    /// How many rehearsals go on, one in another.
    private var rehearsals = 0

    static let schema = DatabaseSchema(
        applicationIdentifier: 0x5453_4155, // "TSAU"
        name: "authority's database",
        steps: [
            """
            CREATE TABLE site (
                id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, issuer TEXT NOT NULL, made_at INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE gates (
                name TEXT NOT NULL, use TEXT NOT NULL, claims BLOB NOT NULL UNIQUE, made_at INTEGER NOT NULL,
                PRIMARY KEY (name, use)
            ) STRICT;
            CREATE TABLE token (
                identifier BLOB NOT NULL PRIMARY KEY, issuer TEXT NOT NULL, cti BLOB NOT NULL, subject TEXT NOT NULL,
                thumbprint BLOB NOT NULL, not_before INTEGER NOT NULL, expires_at INTEGER NOT NULL,
                issued_at INTEGER NOT NULL, UNIQUE (issuer, cti)
            ) STRICT;
            CREATE TABLE enrolled (
                thumbprint BLOB NOT NULL PRIMARY KEY, kid BLOB NOT NULL, use TEXT NOT NULL, curve INTEGER NOT NULL,
                x BLOB NOT NULL, y BLOB, subject TEXT NOT NULL, places BLOB NOT NULL, not_before INTEGER,
                expires_at INTEGER, enrolled_at INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE revocation (
                kind INTEGER NOT NULL, value BLOB NOT NULL, issuer TEXT NOT NULL, revoked_at INTEGER NOT NULL,
                PRIMARY KEY (kind, value, issuer)
            ) STRICT;
            CREATE TABLE publication (
                version INTEGER PRIMARY KEY AUTOINCREMENT, begun_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
                is_complete INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            """,
            // Whether the key was attested as released only after user verification (V6); nobody asked before.
            "ALTER TABLE enrolled ADD COLUMN user_verification INTEGER NOT NULL DEFAULT 0;",
            // Keys of gates change: each change is a generation. Who signs credentials of gates has a name of its own.
            """
            CREATE TABLE gate_key (
                name TEXT NOT NULL, generation INTEGER NOT NULL, use TEXT NOT NULL, claims BLOB NOT NULL UNIQUE,
                made_at INTEGER NOT NULL, is_emergency INTEGER NOT NULL DEFAULT 0, dropped_at INTEGER,
                PRIMARY KEY (name, generation, use)
            ) STRICT;
            INSERT INTO gate_key (name, generation, use, claims, made_at)
                SELECT name, 1, use, claims, made_at FROM gates ORDER BY rowid;
            DROP TABLE gates;
            ALTER TABLE site ADD COLUMN gate_issuer TEXT;
            ALTER TABLE site ADD COLUMN gate_issuer_at INTEGER;
            """,
            // What the site decided about time and places, and the file that says it.
            """
            CREATE TABLE rule (id INTEGER PRIMARY KEY, record BLOB NOT NULL) STRICT;
            CREATE TABLE membership (
                member_of TEXT NOT NULL, subject TEXT NOT NULL, PRIMARY KEY (member_of, subject)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE rule_file (
                id INTEGER PRIMARY KEY CHECK (id = 1), text BLOB NOT NULL, kept_at INTEGER NOT NULL
            ) STRICT;
            """,
            // UID-only cards (V8).
            """
            CREATE TABLE plain_card (
                uid BLOB PRIMARY KEY, subject TEXT NOT NULL, places BLOB NOT NULL, not_before INTEGER, expires_at INTEGER,
                enrolled_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """,
            peopleStep,
            repositoryStep,
            watchStep,
            issuerStep,
            zoneStep,
            siteDecisionsStep,
            publishedStep,
            restoredStep,
            heldBackStep,
            holderStep,
            rowSumStep,
            ceilingStep
        ])

    /// Memory for pages: a million enrolled keys are inserted in the order of their hashes.
    private static let cacheKibibytes = 32 * 1024

    /// Opens the file, which must exist; an empty one becomes a database.
    init(path: String) throws(AuthorityError) {
        do throws(StorageError) {
            connection = try SQLiteConnection(path: path, access: .readWrite, cacheKibibytes: Self.cacheKibibytes)
            // The folder is locked: nobody else has the file.
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try connection.execute("PRAGMA journal_mode = WAL")
            try connection.execute("PRAGMA synchronous = FULL")
            // What is compared while a command runs is nobody's business afterwards.
            try connection.execute("PRAGMA temp_store = MEMORY")
            try connection.addRowFunctions()
            try Self.schema.migrate(connection)
            try connection.execute(SummedTable.all.map(\.triggers).joined())
        } catch {
            throw .storage(error)
        }
    }

    /// Runs `body` in one transaction: all of it or, after any error, nothing.
    func transaction<Result>(_ body: () throws(AuthorityError) -> Result) throws(AuthorityError) -> Result {
        // Nothing of a rehearsal stays, whatever becomes of its parts.
        guard rehearsals == 0 else { return try body() }
        var inner: AuthorityError?
        do throws(StorageError) {
            return try connection.transaction { () throws(StorageError) in
                do throws(AuthorityError) {
                    return try body()
                } catch {
                    inner = error
                    throw StorageError(.closed, "The transaction is given up.")
                }
            }
        } catch {
            throw inner ?? .storage(error)
        }
    }

    /// Runs `body` and takes all of it back, as if it had never been.
    func rehearsal<Result>(_ body: () throws(AuthorityError) -> Result) throws(AuthorityError) -> Result {
        rehearsals += 1
        defer { rehearsals -= 1 }
        let name = "rehearsal_\(rehearsals)"
        try prepare("SAVEPOINT \(name)").finish()
        let outcome: Result
        do throws(AuthorityError) {
            outcome = try body()
        } catch {
            // The connection goes with the command; the error is what has to be told.
            try? connection.execute("ROLLBACK TO \(name); RELEASE \(name)")
            throw error
        }
        for end in ["ROLLBACK TO", "RELEASE"] { try prepare("\(end) \(name)").finish() }
        return outcome
    }

    /// A statement that is prepared once, for those that are run again and again. Whoever uses it resets it before anybody else does.
    func kept(_ sql: String) throws(AuthorityError) -> SQLiteStatement {
        if let statement = keptStatements[sql] { return statement }
        let statement = try prepare(sql)
        keptStatements[sql] = statement
        return statement
    }

    /// A statement to use once or many times.
    func prepare(_ sql: String) throws(AuthorityError) -> SQLiteStatement {
        do throws(StorageError) { return try connection.prepare(sql) } catch { throw .storage(error) }
    }
}

extension SQLiteStatement {
    /// Goes to the next row; false when there is none.
    func next() throws(AuthorityError) -> Bool {
        do throws(StorageError) { return try step() } catch { throw .storage(error) }
    }

    /// Runs a statement that answers no rows, and resets it.
    func finish() throws(AuthorityError) {
        do throws(StorageError) { try run() } catch { throw .storage(error) }
    }

    /// Whether there is a row.
    func exists() throws(AuthorityError) -> Bool {
        defer { reset() }
        return try next()
    }
}
