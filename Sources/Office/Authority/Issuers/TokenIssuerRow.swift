/// One token issuer as the database has it: an issuer has one key, so that a new key is a new issuer.
struct TokenIssuerRow: Sendable {
    /// 1 for the first issuer of the site.
    let generation: Int64
    /// The name that tokens carry as `iss`.
    let name: String
    /// UNIX seconds.
    let madeAt: Int64
    /// Whether it signs what is issued now: one does.
    let isInUse: Bool
    /// UNIX seconds; nil while gates are given it.
    let droppedAt: Int64?
    /// Whether its private key was never here: gates are given it only with a ceiling.
    var isElsewhere = false
    /// The file in which such an issuer says which of its tokens it has taken back.
    var queue: String?
}

extension AuthorityDatabase {
    static let issuerStep = """
        CREATE TABLE token_issuer (
            generation INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, made_at INTEGER NOT NULL, in_use INTEGER NOT NULL, dropped_at INTEGER
        ) STRICT;
        INSERT INTO token_issuer (generation, name, made_at, in_use) SELECT 1, issuer, made_at, 1 FROM site;
        """

    /// Every issuer that there is or was, oldest first.
    func tokenIssuers() throws(AuthorityError) -> [TokenIssuerRow] {
        let query = try prepare("SELECT generation, name, made_at, in_use, dropped_at, elsewhere, queue FROM token_issuer ORDER BY generation")
        defer { query.reset() }
        var rows: [TokenIssuerRow] = []
        while try query.next() {
            guard let name = query.writtenName(1), let isInUse = query.writtenFlag(3), let isElsewhere = query.writtenFlag(5) else { throw .damaged("a token issuer is none") }
            rows.append(TokenIssuerRow(generation: query.integer(0), name: name, madeAt: query.integer(2), isInUse: isInUse,
                                       droppedAt: query.optionalInteger(4), isElsewhere: isElsewhere, queue: query.optionalText(6)))
        }
        return rows
    }

    func add(_ issuer: TokenIssuerRow) throws(AuthorityError) {
        let insert = try prepare("INSERT INTO token_issuer (generation, name, made_at, in_use, elsewhere, queue) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        insert.bind(issuer.generation, at: 1)
        insert.bind(issuer.name, at: 2)
        insert.bind(issuer.madeAt, at: 3)
        insert.bind(issuer.isInUse ? 1 : 0, at: 4)
        insert.bind(issuer.isElsewhere ? 1 : 0, at: 5)
        insert.bind(issuer.queue, at: 6)
        try insert.finish()
    }

    /// From now on this one signs, and no other.
    func use(issuer generation: Int64) throws(AuthorityError) {
        let update = try prepare("UPDATE token_issuer SET in_use = (generation = ?1)")
        update.bind(generation, at: 1)
        try update.finish()
    }

    /// Gates are given only this one of the office's own from now on. What is elsewhere does not change with it.
    func dropIssuers(but generation: Int64, now: Int64) throws(AuthorityError) {
        let update = try prepare("UPDATE token_issuer SET dropped_at = ?2 WHERE generation <> ?1 AND dropped_at IS NULL AND elsewhere = 0")
        update.bind(generation, at: 1)
        update.bind(now, at: 2)
        try update.finish()
    }

    /// Gates are not given this one any more.
    func drop(issuer generation: Int64, now: Int64) throws(AuthorityError) {
        let update = try prepare("UPDATE token_issuer SET dropped_at = ?2 WHERE generation = ?1 AND dropped_at IS NULL")
        update.bind(generation, at: 1)
        update.bind(now, at: 2)
        try update.finish()
    }

    /// Gates are given this one, whose private key is elsewhere, and its queue is there.
    func setElsewhere(_ generation: Int64, queue: String?) throws(AuthorityError) {
        let update = try prepare("UPDATE token_issuer SET dropped_at = NULL, queue = ?2 WHERE generation = ?1 AND elsewhere = 1")
        update.bind(generation, at: 1)
        update.bind(queue, at: 2)
        try update.finish()
    }

    /// How many tokens of other issuers that gates are given still open something, and when the last of them ends: 0 for none.
    func tokens(notOf generation: Int64, now: Int64) throws(AuthorityError) -> (count: Int, lastEnd: Int64) {
        let query = try prepare("""
            SELECT count(*), coalesce(max(expires_at), 0) FROM token AS given WHERE expires_at > ?2
                AND issuer IN (SELECT name FROM token_issuer WHERE dropped_at IS NULL AND generation <> ?1)
                AND \(Self.isNotRevoked(1, "identifier")) AND \(Self.isNotRevoked(2, "cti", issuer: "given.issuer"))
                AND \(Self.isNotRevoked(3, "subject")) AND \(Self.isNotRevoked(4, "thumbprint"))
            """)
        query.bind(generation, at: 1)
        query.bind(now, at: 2)
        defer { query.reset() }
        guard try query.next() else { return (0, 0) }
        return (Int(query.integer(0)), query.integer(1))
    }
}
