import Credentials
import SiteData

/// What the rules that were taken let issuers say, and what issuers elsewhere have taken back.
extension AuthorityDatabase {
    static let ceilingStep = """
        ALTER TABLE token_issuer ADD COLUMN elsewhere INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE token_issuer ADD COLUMN queue TEXT;
        CREATE TABLE issuer_ceiling (name TEXT PRIMARY KEY, ceiling BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE queued_revocation (
            issuer TEXT NOT NULL, cti BLOB NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (issuer, cti)
        ) STRICT, WITHOUT ROWID;
        """

    /// By the issuers' names.
    func issuerCeilings() throws(AuthorityError) -> [String: IssuerCeiling] {
        let query = try prepare("SELECT name, ceiling FROM issuer_ceiling")
        defer { query.reset() }
        var ceilings: [String: IssuerCeiling] = [:]
        while try query.next() {
            guard let name = query.writtenName(0), let ceiling = IssuerCeiling(encoded: query.bytes(1)) else {
                throw .damaged("[[issuer]] of the rules is not as it was")
            }
            ceilings[name] = ceiling
        }
        return ceilings
    }

    /// Keeps what a file of rules says of them in the place of what was kept before.
    func keep(issuerCeilings: [String: IssuerCeiling]) throws(AuthorityError) {
        try prepare("DELETE FROM issuer_ceiling").finish()
        let insert = try prepare("INSERT INTO issuer_ceiling (name, ceiling) VALUES (?1, ?2)")
        for (name, ceiling) in issuerCeilings {
            insert.bind(name, at: 1)
            insert.bind(ceiling.encoded, at: 2)
            try insert.finish()
        }
    }

    // What was revoked elsewhere ----------------------------------------------------------------

    /// How many tokens of an issuer are kept as taken back because its queue said so.
    func countQueued(of issuer: String) throws(AuthorityError) -> Int {
        let query = try prepare("SELECT count(*) FROM queued_revocation WHERE issuer = ?1")
        query.bind(issuer, at: 1)
        defer { query.reset() }
        return try query.next() ? Int(query.integer(0)) : 0
    }

    /// Until when a token is kept as taken back because a queue said so; nil: it is not.
    func queuedEnd(_ issuer: String, _ cti: [UInt8]) throws(AuthorityError) -> Int64? {
        let query = try kept("SELECT until FROM queued_revocation WHERE issuer = ?1 AND cti = ?2")
        query.bind(issuer, at: 1)
        query.bind(cti, at: 2)
        defer { query.reset() }
        return try query.next() ? query.integer(0) : nil
    }

    func setQueued(_ issuer: String, _ cti: [UInt8], until: Int64) throws(AuthorityError) {
        let insert = try prepare("INSERT OR REPLACE INTO queued_revocation (issuer, cti, until) VALUES (?1, ?2, ?3)")
        insert.bind(issuer, at: 1)
        insert.bind(cti, at: 2)
        insert.bind(until, at: 3)
        try insert.finish()
    }

    /// Forgets the tokens that had ended before a time: they open nothing, revoked or not.
    func forgetQueued(before time: Int64) throws(AuthorityError) {
        let query = try prepare("SELECT issuer, cti FROM queued_revocation WHERE until < ?1")
        query.bind(time, at: 1)
        var ended: [Revocation] = []
        while try query.next() { ended.append(.issued(issuer: query.text(0), cti: query.bytes(1))) }
        query.reset()
        for revocation in ended where try has(revocation) { try remove(revocation) }
        let delete = try prepare("DELETE FROM queued_revocation WHERE until < ?1")
        delete.bind(time, at: 1)
        try delete.finish()
    }
}
