/// The versions a database's schema has gone through, each as the statements that lead there.
package struct DatabaseSchema {
    /// PRAGMA application_id: says whose file this is.
    package let applicationIdentifier: Int32
    /// What the database is called in messages.
    package let name: String
    /// `steps[n]` leads from version n to version n + 1. Steps are only ever added.
    package let steps: [String]

    /// A schema with its history.
    package init(applicationIdentifier: Int32, name: String, steps: [String]) {
        self.applicationIdentifier = applicationIdentifier
        self.name = name
        self.steps = steps
    }

    /// The version this program writes (PRAGMA user_version).
    var version: Int32 { Int32(steps.count) }

    /// Brings an open database to the current version, one transaction for all steps.
    /// - Throws: `newer-schema` without having touched anything, `database-corrupt` if the file is
    ///   another program's.
    package func migrate(_ connection: SQLiteConnection) throws(StorageError) {
        let found = try connection.integer("PRAGMA user_version")
        let owner = try connection.integer("PRAGMA application_id")
        try check(version: Int32(truncatingIfNeeded: found), owner: Int32(truncatingIfNeeded: owner))
        guard found < version else { return }
        try connection.transaction { () throws(StorageError) in
            for step in steps[Int(found)...] { try connection.execute(step) }
            try connection.execute("PRAGMA application_id = \(applicationIdentifier)")
            try connection.execute("PRAGMA user_version = \(version)")
        }
    }

    /// Judges the two numbers of a file's header. Version 0 without an owner is a new file.
    func check(version found: Int32, owner: Int32) throws(StorageError) {
        if found == 0 && owner == 0 { return }
        guard owner == applicationIdentifier, found > 0 else {
            throw StorageError(.corrupt, "The \(name) is a database of another program.")
        }
        guard found <= version else {
            throw StorageError(
                .newerSchema,
                "The \(name) has schema \(found), written by a newer version; this one knows up to \(version).")
        }
    }
}
