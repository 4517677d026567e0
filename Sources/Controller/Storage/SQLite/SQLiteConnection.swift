import CSQLite
import Files
import Threads

/// One connection to one database file. It is used by one thread at a time: its owner keeps it behind
/// a `Monitor` or on a thread of its own.
package final class SQLiteConnection {
    /// What a connection may do with its file.
    package enum Access {
        /// Read and write a file that exists.
        case readWrite
        /// Read a file that nobody changes while it is open: no locks, no look at the file's change
        /// counter before each statement. A system call per lookup is what this saves.
        case immutable
    }

    let handle: OpaquePointer
    private let path: String

    /// Opens `path`.
    /// - Parameters:
    ///   - fileSystem: the SQLite VFS to use; tests bring one that fails on demand.
    ///   - cacheKibibytes: the bound on this connection's page cache.
    package init(
        path: String, access: Access, fileSystem: String? = nil, cacheKibibytes: Int
    ) throws(StorageError) {
        self.path = path
        var opened: OpaquePointer?
        let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = Loop.outside(.disk) {
            switch access {
            case .readWrite:
                return sqlite3_open_v2(path, &opened, common | SQLITE_OPEN_READWRITE, fileSystem)
            case .immutable:
                let name = "file:\(Self.escaped(path))?immutable=1"
                return sqlite3_open_v2(name, &opened, common | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, fileSystem)
            }
        }
        guard let handle = opened, result == SQLITE_OK else {
            let system = opened.map { sqlite3_system_errno($0) } ?? 0
            sqlite3_close_v2(opened)
            throw StorageError(sqlite: result, systemError: system, doing: "open \(path)")
        }
        self.handle = handle
        try execute("PRAGMA cache_size = -\(cacheKibibytes)")
        try execute("PRAGMA mmap_size = 0")
        // A damaged or foreign file may hold views and triggers; none of ours does.
        try execute("PRAGMA trusted_schema = OFF")
        csqlite_no_triggers_or_views(handle)
    }

    deinit {
        // Statements that are still alive keep the handle until they go.
        sqlite3_close_v2(handle)
    }

    /// Whether the file could not be opened for writing. It stays so for this connection, whatever becomes of the file.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// How long a statement waits for another connection's lock before it fails with `busy`.
    package func waitForLocks(milliseconds: Int32) {
        sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Runs statements that answer nothing.
    package func execute(_ sql: String) throws(StorageError) {
        let result = Loop.outside(.disk) { sqlite3_exec(handle, sql, nil, nil, nil) }
        guard result == SQLITE_OK else { throw error(result, doing: "run \(Self.verb(of: sql))") }
    }

    /// Prepares a statement that will be used many times.
    package func prepare(_ sql: String) throws(StorageError) -> SQLiteStatement {
        var prepared: OpaquePointer?
        let result = Loop.outside(.disk) {
            sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        }
        guard let statement = prepared, result == SQLITE_OK else {
            throw error(result, doing: "prepare \(Self.verb(of: sql))")
        }
        return SQLiteStatement(statement, of: self, verb: Self.verb(of: sql))
    }

    /// The integer a pragma or query of one value answers; 0 if it answers none.
    package func integer(_ sql: String) throws(StorageError) -> Int64 {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Runs `body` in one transaction that takes the write lock at its beginning. Any error rolls back.
    package func transaction<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        try SQLiteTransaction(of: self).run(body)
    }

    func error(_ result: Int32, doing what: String) -> StorageError {
        let code = sqlite3_extended_errcode(handle)
        return StorageError(
            sqlite: code & 0xff == result & 0xff ? code : result,
            systemError: sqlite3_system_errno(handle), doing: "\(what) in \(path)")
    }

    /// The first words of a statement: what was tried, never whose data.
    private static func verb(of sql: String) -> String {
        sql.split(separator: " ", maxSplits: 3).prefix(3).joined(separator: " ")
    }

    /// A path inside a `file:` URI (https://www.sqlite.org/uri.html): only the three characters that
    /// would end or change it.
    private static func escaped(_ path: String) -> String {
        var result = ""
        for character in path {
            switch character {
            case "%": result += "%25"
            case "?": result += "%3f"
            case "#": result += "%23"
            default: result.append(character)
            }
        }
        return result
    }
}

/// What begins and ends the transactions of a connection that writes, prepared once: a tap waits for two commits, and SQLite would read
/// the same two words anew for each.
struct SQLiteTransaction {
    private let connection: SQLiteConnection
    private let begin: SQLiteStatement
    private let commit: SQLiteStatement

    init(of connection: SQLiteConnection) throws(StorageError) {
        self.connection = connection
        begin = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
    }

    /// Runs `body` in one transaction that takes the write lock at its beginning. Any error rolls back.
    func run<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        try begin.run()
        do {
            let result = try body()
            try commit.run()
            return result
        } catch {
            // SQLite has already rolled back after some errors; then there is nothing to undo.
            if sqlite3_get_autocommit(connection.handle) == 0 {
                _ = Loop.outside(.disk) { sqlite3_exec(connection.handle, "ROLLBACK", nil, nil, nil) }
            }
            throw error
        }
    }
}
