import Credentials
import Storage
import TrustSync

/// What the file of rules says besides rules: what the site itself takes back, and what people are to be shown. In a repository keys offline sign it.
extension AuthorityDatabase {
    static let siteDecisionsStep = """
        CREATE TABLE site_revocation (
            kind INTEGER NOT NULL, value BLOB NOT NULL, issuer TEXT NOT NULL, PRIMARY KEY (kind, value, issuer)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE word (
            language TEXT NOT NULL, name TEXT NOT NULL, shown TEXT NOT NULL, PRIMARY KEY (language, name)
        ) STRICT, WITHOUT ROWID;
        """

    /// Keeps them in the place of all that were kept before.
    func replaceSiteDecisions(with revocations: [Revocation], _ words: [Word]) throws(AuthorityError) {
        for table in ["site_revocation", "word"] { try prepare("DELETE FROM \(table)").finish() }
        let revocation = try prepare("INSERT OR IGNORE INTO site_revocation (kind, value, issuer) VALUES (?1, ?2, ?3)")
        for given in revocations {
            RevocationRow(given).bind(to: revocation)
            try revocation.finish()
        }
        let word = try prepare("INSERT INTO word (language, name, shown) VALUES (?1, ?2, ?3)")
        for given in words {
            word.bind(given.language, at: 1)
            word.bind(given.name, at: 2)
            word.bind(given.text, at: 3)
            try word.finish()
        }
    }

    /// Whether it was taken back, by a command or by the site itself.
    func isTakenBack(_ revocation: Revocation) throws(AuthorityError) -> Bool {
        if try has(revocation) { return true }
        let query = try kept("SELECT 1 FROM site_revocation WHERE kind = ?1 AND value = ?2 AND issuer = ?3")
        RevocationRow(revocation).bind(to: query)
        return try query.exists()
    }

    /// What the site itself takes back.
    func siteRevocations() throws(AuthorityError) -> [Revocation] {
        let query = try prepare("SELECT kind, value, issuer FROM site_revocation")
        defer { query.reset() }
        var revocations: [Revocation] = []
        while try query.next() {
            guard let revocation = RevocationRow(kind: query.integer(0), value: query.bytes(1), issuer: query.text(2)).revocation else { throw .damaged }
            revocations.append(revocation)
        }
        return revocations
    }

    /// What people are to be shown.
    func words() throws(AuthorityError) -> [Word] {
        let query = try prepare("SELECT language, name, shown FROM word")
        defer { query.reset() }
        var words: [Word] = []
        while try query.next() {
            guard let word = Word(language: query.text(0), name: query.text(1), text: query.text(2)) else { throw .damaged }
            words.append(word)
        }
        return words
    }
}
