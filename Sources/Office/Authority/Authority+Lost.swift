import Credentials
import Storage

/// A phone that was lost, and a person who shall never come in again: two things.
extension Authority {
    /// Ends every key of a person or account, and with it every token that was issued for one: whoever has the phone is refused, and the
    /// person may be given a new one at once. Cards stay, they are no phone. Gates know with the next publication. Of a person who is banned too:
    /// when the ban is lifted, the phone is still lost.
    ///
    /// Enrolled keys stay on the list: office and gates can say whose the key is that they refuse.
    /// - Throws: `nobody`, or `noPhone` where there is no key to end.
    public func lose(phonesOf named: String, now: Int64) throws(AuthorityError) -> LostPhones {
        let subject = try SubjectName.ofAnybody(named)
        return try database.transaction { () throws(AuthorityError) in
            let keys = try database.keys(of: subject)
            guard !keys.isEmpty else { throw try database.isNamed(subject) ? .noPhone(subject) : .nobody(subject, nearest: nearestSubject(to: subject)) }
            var lost = try LostPhones(tokens: database.tokens(of: subject, after: now), cards: database.cards(of: subject),
                                      isBanned: database.isTakenBack(.subject(subject)))
            for thumbprint in keys {
                if try !database.has(.key(thumbprint: thumbprint)) {
                    try database.add(.key(thumbprint: thumbprint), now: now)
                    lost.keys.append(thumbprint)
                }
                lost.others.formUnion(try database.others(than: subject, withKey: thumbprint))
            }
            return lost
        }
    }

    /// Lets nothing of a person or account count, now or later: no new key, token or card either. Gates know with the next publication.
    /// - Returns: false if they were banned before.
    public func ban(subject: String, now: Int64) throws(AuthorityError) -> Bool { try revoke(.subject(subject), now: now) }

    /// Ends a ban: what they hold counts again, but for keys that were revoked by themselves. Gates know with the next publication.
    public func liftBan(subject named: String) throws(AuthorityError) {
        let subject = try SubjectName.ofAnybody(named), ban = Revocation.subject(subject)
        try database.transaction { () throws(AuthorityError) in
            let isBanned = try database.has(ban)
            if isBanned { try database.remove(ban) }
            // What keys offline sign is not lifted here.
            guard try !database.isTakenBack(ban) else { throw .notBanned(subject, byRules: true) }
            guard isBanned else {
                throw .notBanned(subject, byRules: false, nearest: try nearest(to: subject) { if case .subject = $0 { true } else { false } })
            }
        }
    }
}

/// What went with a lost phone.
public struct LostPhones: Sendable {
    /// Thumbprints of the keys that count no more since now.
    public internal(set) var keys: [[UInt8]] = []
    /// How many tokens would still have counted.
    public let tokens: Int
    /// How many UID-only cards go on.
    public let cards: Int
    /// Whether the person is banned besides, and gets no new phone.
    public let isBanned: Bool
    /// Who else had one of the keys, and is refused with it too.
    public internal(set) var others: Set<String> = []

    init(tokens: Int, cards: Int, isBanned: Bool) {
        self.tokens = tokens
        self.cards = cards
        self.isBanned = isBanned
    }
}

extension AuthorityDatabase {
    /// The thumbprints of every key that a person or account has or had, enrolled or in a token.
    fileprivate func keys(of subject: String) throws(AuthorityError) -> [[UInt8]] {
        let query = try prepare("SELECT thumbprint FROM enrolled WHERE subject = ?1 UNION SELECT thumbprint FROM token WHERE subject = ?1")
        query.bind(subject, at: 1)
        defer { query.reset() }
        var keys: [[UInt8]] = []
        while try query.next() { keys.append(query.bytes(0)) }
        return keys
    }

    fileprivate func tokens(of subject: String, after now: Int64) throws(AuthorityError) -> Int {
        let query = try prepare("SELECT count(*) FROM token WHERE subject = ?1 AND expires_at > ?2")
        query.bind(now, at: 2)
        return try count(query, subject)
    }

    fileprivate func cards(of subject: String) throws(AuthorityError) -> Int {
        try count(prepare("SELECT count(*) FROM plain_card WHERE subject = ?1"), subject)
    }

    private func count(_ query: SQLiteStatement, _ subject: String) throws(AuthorityError) -> Int {
        query.bind(subject, at: 1)
        defer { query.reset() }
        return try query.next() ? Int(query.integer(0)) : 0
    }

    fileprivate func others(than subject: String, withKey thumbprint: [UInt8]) throws(AuthorityError) -> Set<String> {
        let query = try prepare("""
            SELECT subject FROM enrolled WHERE thumbprint = ?1 AND subject <> ?2 UNION
            SELECT subject FROM token WHERE thumbprint = ?1 AND subject <> ?2
            """)
        query.bind(thumbprint, at: 1)
        query.bind(subject, at: 2)
        defer { query.reset() }
        var others: Set<String> = []
        while try query.next() { others.insert(query.text(0)) }
        return others
    }
}
