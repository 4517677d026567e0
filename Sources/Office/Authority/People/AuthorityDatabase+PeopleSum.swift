import Credentials
import SiteData
import SiteRules
import Storage

/// The sum of the state that was published last, and what of it has changed since as it was then: the sum of the next state
/// takes no look at those who have not changed.
extension AuthorityDatabase {
    /// Remembers how an enrolled key was published, before it is changed or taken away. The first change counts.
    func rememberTold(_ key: EnrolledKey) throws(AuthorityError) {
        let name = PeopleKey.enrolled(thumbprint: key.key.thumbprint)
        try rememberTold(name, PublicationRecord.enrolled(key).encoded, where: "enrolled WHERE thumbprint = ?3")
    }

    /// The same of a card.
    func rememberTold(_ card: UIDOnlyCard) throws(AuthorityError) {
        try rememberTold(.card(card.number), PublicationRecord.uidOnlyCard(card).encoded, where: "plain_card WHERE uid = ?3")
    }

    /// The same of a revocation, which is its own name.
    func rememberTold(_ revocation: Revocation) throws(AuthorityError) {
        try rememberTold(.revocation(revocation), [], where: "revocation WHERE kind = ?2 AND value = ?3 AND issuer = ?4")
    }

    /// The same of a membership.
    func rememberTold(_ membership: Membership) throws(AuthorityError) {
        try rememberTold(.membership(membership), [], where: "membership WHERE member_of = ?4 AND subject = CAST(?3 AS TEXT)")
    }

    /// Of what no state has had there is nothing to remember.
    private func rememberTold(_ name: PeopleKey, _ record: [UInt8], where place: String) throws(AuthorityError) {
        let insert = try kept("""
            INSERT OR IGNORE INTO people_told (kind, part, value, name, record) SELECT ?1, ?2, ?3, ?4, ?5
            WHERE EXISTS (SELECT 1 FROM \(place) AND \(Self.isTold))
            """)
        name.row.bind(to: insert)
        insert.bind(record, at: 5)
        try insert.finish()
    }

    /// Whether a row is in the state that was published last. What is held back is in none (`PeopleRows.held`).
    static let isTold = "state_version BETWEEN 1 AND (SELECT version FROM people_state)"

    /// The sum of the state that was published last; nil if it is not known, or not for each zone.
    func publishedSum(site: String) throws(AuthorityError) -> PeopleSum? {
        let query = try prepare("""
            SELECT sum, enrolled, revocations, memberships, cards, has_zones FROM people_sum
            WHERE version = (SELECT version FROM people_state)
            """)
        defer { query.reset() }
        guard try query.next(), let sum = StateSum(bytes: query.bytes(0)), let hasZones = query.optionalInteger(5) else { return nil }
        var counts = PublicationCounts()
        counts.enrolled = UInt64(clamping: query.integer(1))
        counts.revocations = UInt64(clamping: query.integer(2))
        counts.memberships = UInt64(clamping: query.integer(3))
        counts.uidOnlyCards = UInt64(clamping: query.integer(4))
        return PeopleSum(sum: sum, counts: counts, zones: hasZones == 0 ? nil : try zoneSums(site: site))
    }

    /// Keeps the sum of a state that is published now: nothing has changed since it.
    func keep(_ sum: PeopleSum, of version: Int64) throws(AuthorityError) {
        try prepare("DELETE FROM people_told").finish()
        let insert = try prepare("""
            INSERT OR REPLACE INTO people_sum (id, version, sum, enrolled, revocations, memberships, cards, has_zones)
            VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """)
        insert.bind(version, at: 1)
        insert.bind(sum.sum.bytes, at: 2)
        let counts = [sum.counts.enrolled, sum.counts.revocations, sum.counts.memberships, sum.counts.uidOnlyCards]
        for (place, count) in counts.enumerated() { insert.bind(Int64(clamping: count), at: Int32(place + 3)) }
        insert.bind(sum.zones == nil ? 0 : 1, at: 7)
        try insert.finish()
        try keep(sum.zones, of: version)
    }

    /// Goes through what has changed since the state that was published last, as it was in that.
    func forEachTold(_ body: (PublicationRecord) throws(AuthorityError) -> Void) throws(AuthorityError) {
        let query = try prepare("SELECT kind, part, value, name, record FROM people_told")
        defer { query.reset() }
        while try query.next() {
            guard let name = GoneRow(query).name, let record = Self.record(name, query.bytes(4)) else { throw .damaged }
            try body(record)
        }
    }

    /// Nil if the database is damaged.
    private static func record(_ name: PeopleKey, _ record: [UInt8]) -> PublicationRecord? {
        switch name {
        case .enrolled, .card: PublicationRecord(encoded: record)
        case .revocation(let revocation): .revocation(revocation)
        case .membership(let membership): .rule(.membership(membership))
        }
    }
}
