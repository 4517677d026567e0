import Credentials
import SiteData
import Storage

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
    func replaceSiteDecisions(with revocations: [Revocation], _ words: [SiteMessage]) throws(AuthorityError) {
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

    /// Whether it was revoked, by a command or by the site itself.
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
    func messages() throws(AuthorityError) -> [SiteMessage] {
        let query = try prepare("SELECT language, name, shown FROM word")
        defer { query.reset() }
        var words: [SiteMessage] = []
        while try query.next() {
            guard let word = SiteMessage(language: query.text(0), name: query.text(1), text: query.text(2)) else { throw .damaged }
            words.append(word)
        }
        return words
    }
}

/// A ban and a suspension name a person. What the person holds would count again under another name.
extension AuthorityDatabase {
    static let holderStep = "CREATE INDEX token_by_key ON token (thumbprint);"

    /// Refuses a key that somebody else has, enrolled or in a token, who is banned or suspended.
    func refuseHolders(ofKey thumbprint: [UInt8], otherThan subject: String) throws(AuthorityError) {
        let query = try kept("SELECT subject FROM enrolled WHERE thumbprint = ?1 UNION ALL SELECT subject FROM token WHERE thumbprint = ?1")
        query.bind(thumbprint, at: 1)
        defer { query.reset() }
        while try query.next() { try refuse(holder: query.text(0), otherThan: subject) }
    }

    /// Refuses what is somebody else's who is banned or suspended.
    /// - Parameter holder: nil: nobody has it.
    func refuse(holder: String?, otherThan subject: String) throws(AuthorityError) {
        guard let holder, !holder.utf8.elementsEqual(subject.utf8) else { return }
        if try isTakenBack(.subject(holder)) { throw .holderTakenBack(holder, isBanned: true) }
        if try isTakenBack(.suspended(holder)) { throw .holderTakenBack(holder, isBanned: false) }
    }
}

extension AuthorityDatabase {
    /// Looks through the whole file, as SQLite does: each page, each record, and whether each column holds what it may hold. Then each row of people
    /// is held to the sums. What is damaged is not signed, whatever it has become.
    func checkSoundness() throws(AuthorityError) {
        let query = try prepare("PRAGMA quick_check(1)")
        defer { query.reset() }
        guard try query.next() else { throw .damaged("nothing was found in it") }
        guard query.text(0) == "ok" else { throw .damaged(query.text(0)) }
        try checkRowSums()
    }
}
