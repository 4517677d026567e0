/// Brings `trust.db` of an older program up to date, before readers open it as a file that nobody changes.
struct TrustUpgrade {
    /// The file's name.
    let name: String
    let folder: StorageFolder
    /// The SQLite VFS; tests bring one that fails on demand.
    let fileSystem: String?

    /// One transaction. Where the power went in the middle of it, SQLite's own journal lies beside the file and is
    /// played back here: those who read the file as unchanging would not look at it.
    ///
    /// A disk that does not take the change now leaves the file as it is: it can be read, and is tried again at the
    /// next start.
    /// - Throws: `newer-schema` with the file untouched, `database-corrupt`, and what keeps an interrupted change
    ///   from being undone.
    func run() throws(StorageError) {
        let wasInterrupted = folder.has(name + "-journal")
        guard let header = try folder.header(of: name, logged: true) else { return }
        let schema = DatabaseSchema.trust
        try schema.check(version: header.userVersion, owner: header.applicationIdentifier)
        guard wasInterrupted || (header.userVersion > 0 && header.userVersion < schema.version) else { return }
        do throws(StorageError) {
            let connection = try SQLiteConnection(
                path: folder.path(of: name), access: .readWrite, fileSystem: fileSystem, cacheKibibytes: 256)
            try connection.execute("PRAGMA synchronous = FULL")
            // Reading plays the journal back. A file without a schema is none of ours: whoever opens it says so.
            if try connection.integer("PRAGMA user_version") > 0 { try schema.migrate(connection) }
        } catch {
            guard !wasInterrupted, error.mayPass, !folder.has(name + "-journal") else { throw error }
        }
    }
}
