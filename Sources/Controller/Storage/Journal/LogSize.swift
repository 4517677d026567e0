import CSQLite

/// Learns after each commit how many pages the write-ahead log has.
final class LogSize {
    private(set) var pages = 0

    /// - Parameter connection: must not outlive this; the journal's file holds both.
    init(of connection: SQLiteConnection) {
        sqlite3_wal_hook(connection.handle, { context, _, _, pages in
            guard let context else { return SQLITE_OK }
            Unmanaged<LogSize>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
            return SQLITE_OK
        }, Unmanaged.passUnretained(self).toOpaque())
    }
}
