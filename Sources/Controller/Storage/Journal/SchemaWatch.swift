/// Notices that somebody changes the schema of a journal while a connection to it is open. SQLite counts the changes, and tells the
/// count without a look at the disk that a transaction would not take anyway.
final class SchemaWatch {
    private let version: SQLiteStatement
    private let known: Int64

    /// - Parameter schema: the version that the file is to have.
    /// - Throws: `journal-schema-differs` if it is not ours.
    init(of connection: SQLiteConnection, schema: Int32 = DatabaseSchema.journal.version) throws(StorageError) {
        version = try connection.prepare("PRAGMA schema_version")
        // Before it is compared: a change in between shows later.
        known = try Self.count(version)
        try DatabaseSchema.journal.compare(connection, version: schema)
    }

    /// Inside a transaction.
    /// - Throws: `journal-schema-differs` if it was changed since.
    func look() throws(StorageError) {
        guard try Self.count(version) == known else {
            throw StorageError(.schemaDiffers, "The schema of the journal was changed while in use.")
        }
    }

    private static func count(_ version: SQLiteStatement) throws(StorageError) -> Int64 {
        defer { version.reset() }
        return try version.step() ? version.integer(0) : 0
    }
}
