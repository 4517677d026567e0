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

    /// Holds the schema of a file against ours. What a file says of itself decides what is found in it and what is written: an index with a
    /// condition hides rows, a view in a table's place shows others, a trigger swallows what is put in.
    /// - Parameter version: the schema that the file is said to have.
    /// - Throws: `journal-schema-differs` names the first thing that is another.
    func compare(_ connection: SQLiteConnection, version: Int32) throws(StorageError) {
        let model = try SQLiteConnection(path: ":memory:", access: .readWrite, cacheKibibytes: 64)
        for step in steps.prefix(Int(version)) { try model.execute(step) }
        let ours = try Self.objects(of: model), found = try Self.objects(of: connection)
        guard let different = Set(ours).symmetricDifference(found).map(\.title).min() else { return }
        throw StorageError(.schemaDiffers, "The schema of the \(name) is not its own: see \(different). Somebody changed it.")
    }

    /// Something that a schema has.
    private struct Object: Hashable {
        let title: String
        /// The statement, without what SQLite's versions write differently.
        let statement: String
    }

    private static func objects(of connection: SQLiteConnection) throws(StorageError) -> [Object] {
        let rows = try connection.prepare("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master")
        var objects: [Object] = []
        while try rows.step() {
            let statement = (rows.text(2) + " " + rows.text(3)).filter { $0 != "\"" }.split(whereSeparator: \.isWhitespace)
            objects.append(Object(title: "\(rows.text(0)) \(rows.text(1))", statement: statement.joined(separator: " ")))
        }
        return objects
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
