import SiteData

/// Which publications this office has made. A gate that has another one with the same number, or one that was made upon another, has it from a second
/// office, at work on a copy of this folder. Offices before the first release noted single files under epoch 0.
extension AuthorityDatabase {
    static let publishedStep = """
        CREATE TABLE told (
            epoch INTEGER NOT NULL, version INTEGER NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (epoch, version)
        ) STRICT, WITHOUT ROWID;
        """

    /// Remembers one.
    func published(_ publication: Predecessor, epoch: UInt64) throws(AuthorityError) {
        let insert = try prepare("INSERT OR REPLACE INTO told (epoch, version, digest) VALUES (?1, ?2, ?3)")
        insert.bind(Int64(clamping: epoch), at: 1)
        insert.bind(Int64(clamping: publication.version), at: 2)
        insert.bind(publication.digest, at: 3)
        try insert.finish()
    }

    /// Whether this office has made another one with this number, or none with so high a one. What an older program made, nobody knows.
    func isForeign(_ publication: Predecessor, epoch: UInt64) throws(AuthorityError) -> Bool {
        let query = try prepare("""
            SELECT (SELECT digest FROM told WHERE epoch = ?1 AND version = ?2), (SELECT max(version) FROM told WHERE epoch = ?1)
            """)
        query.bind(Int64(clamping: epoch), at: 1)
        query.bind(Int64(clamping: publication.version), at: 2)
        defer { query.reset() }
        guard try query.next(), let newest = query.optionalInteger(1) else { return false }
        if let digest = query.optionalBytes(0) { return digest != publication.digest }
        return Int64(clamping: publication.version) > newest
    }
}
