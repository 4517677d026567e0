import CSQLite
import Threads

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
