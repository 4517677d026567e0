import CSQLite
import Testing
import Waits

/// Another connection that holds a database's write lock, as a backup program may.
final class DatabaseLock {
    private var connection: OpaquePointer?

    init(_ path: String) throws {
        try #require(sqlite3_open(path, &connection) == SQLITE_OK)
        // The gate itself may be writing at this moment.
        sqlite3_busy_timeout(connection, Int32(WaitLimit.milliseconds))
        try #require(sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    }

    func release() {
        sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
        sqlite3_close(connection)
        connection = nil
    }

    deinit { if connection != nil { release() } }
}
