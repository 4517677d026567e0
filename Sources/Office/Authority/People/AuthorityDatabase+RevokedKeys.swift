import Credentials
import SiteData
import SiteRules
import Storage

/// Enrolled keys that were revoked stay on the list, so that office and gates can say whose they were.
extension AuthorityDatabase {
    /// Takes keys that count no more off the list where they have more than people may be given: gates would refuse the whole list for them.
    /// - Returns: how many.
    func forgetRevokedKeys(above ceiling: Ceiling, now: Int64) throws(AuthorityError) -> Int {
        var above: [EnrolledKey] = []
        let query = try prepare("""
            SELECT \(EnrolledKey.columns) FROM enrolled WHERE thumbprint IN
                (SELECT value FROM revocation WHERE kind = 4 UNION SELECT value FROM site_revocation WHERE kind = 4)
            """)
        defer { query.reset() }
        while try query.next() {
            let key = try EnrolledKey(row: query)
            if (try? ceiling.check(.enrolled(key), issuedAt: now)) == nil { above.append(key) }
        }
        let rows = try EnrolledRows(self, otherRoles: [])
        try transaction { () throws(AuthorityError) in for key in above { try rows.remove(key) } }
        return above.count
    }

    /// Who had what was revoked, as far as enrolled keys and tokens say.
    func holdersOfRevoked() throws(AuthorityError) -> [Revocation: Set<String>] {
        let query = try prepare("""
            SELECT r.kind, r.value, r.issuer, e.subject FROM revocation r JOIN enrolled e ON r.kind = 4 AND e.thumbprint = r.value UNION ALL
            SELECT r.kind, r.value, r.issuer, t.subject FROM token t CROSS JOIN revocation r ON r.kind = 4 AND r.value = t.thumbprint AND r.issuer = '' UNION ALL
            SELECT r.kind, r.value, r.issuer, t.subject FROM revocation r JOIN token t ON r.kind = 1 AND t.identifier = r.value UNION ALL
            SELECT r.kind, r.value, r.issuer, t.subject FROM revocation r JOIN token t ON r.kind = 2 AND t.issuer = r.issuer AND t.cti = r.value
            """)
        defer { query.reset() }
        var holders: [Revocation: Set<String>] = [:]
        while try query.next() {
            guard let revocation = RevocationRow(query, at: 0).revocation else { throw .damaged }
            holders[revocation, default: []].insert(query.text(3))
        }
        return holders
    }
}

/// One person's groups are few: nobody who is in more than gates look at passes anywhere.
extension AuthorityDatabase {
    /// Refuses somebody in too many groups, whoever says so: the rules, lists, or both together.
    func refuseTooManyGroups() throws(AuthorityError) {
        if let subject = try subjectsOfTooManyGroups(most: 1).first { throw .tooManyGroups(subject) }
    }

    /// Who is in more groups than gates look at, in order.
    /// - Parameter atGates: by what gates are told now; else by what the office says.
    func subjectsOfTooManyGroups(atGates: Bool = false, most: Int) throws(AuthorityError) -> [String] {
        // Most sites have fewer groups than that, and nobody need be counted.
        guard try groups(most: Membership.mostOfOne + 1).count > Membership.mostOfOne else { return [] }
        let rows = atGates ? "+state_version > 0" : Self.isSaid
        let query = try prepare("SELECT subject FROM membership WHERE \(rows) GROUP BY subject HAVING count(*) > ?1 ORDER BY subject LIMIT ?2")
        query.bind(Int64(Membership.mostOfOne), at: 1)
        query.bind(Int64(most), at: 2)
        return try texts(of: query)
    }

    /// The first groups that have anybody: from each to the next one, by the key of the table.
    func groups(most: Int) throws(AuthorityError) -> [String] {
        let query = try prepare("""
            WITH RECURSIVE named (name) AS (
                SELECT min(member_of) FROM membership UNION ALL
                SELECT (SELECT min(member_of) FROM membership WHERE member_of > name) FROM named WHERE name IS NOT NULL LIMIT ?1
            ) SELECT name FROM named WHERE name IS NOT NULL
            """)
        query.bind(Int64(most), at: 1)
        return try texts(of: query)
    }

    private func texts(of query: SQLiteStatement) throws(AuthorityError) -> [String] {
        defer { query.reset() }
        var texts: [String] = []
        while try query.next() { texts.append(query.text(0)) }
        return texts
    }
}

/// What each zone came to in the state that was published last, and with which version it changed last: changes say of these zones what they
/// come to, so that a gate that keeps its own zones only can check what it has.
extension AuthorityDatabase {
    /// Whether there are sums of zones is not known of a state that an older program published.
    static let zoneStep = """
        CREATE TABLE people_zone (zone TEXT PRIMARY KEY, version INTEGER NOT NULL, sum BLOB NOT NULL) STRICT, WITHOUT ROWID;
        ALTER TABLE people_sum ADD COLUMN has_zones INTEGER;
        """

    /// The sums that were kept.
    func zoneSums(site: String) throws(AuthorityError) -> ZoneSums {
        let query = try prepare("SELECT zone, sum FROM people_zone")
        defer { query.reset() }
        var sums: [String: ZoneSum] = [:]
        while try query.next() {
            guard let sum = ZoneSum(encoded: query.bytes(1)) else { throw .damaged }
            sums[query.text(0)] = sum
        }
        return ZoneSums(site: site, sums: sums)
    }

    /// Keeps the sums of a state that is published now.
    /// - Parameter zones: nil: there are too many zones.
    func keep(_ zones: ZoneSums?, of version: Int64) throws(AuthorityError) {
        guard let zones else {
            try prepare("DELETE FROM people_zone").finish()
            return
        }
        let insert = try prepare("INSERT OR REPLACE INTO people_zone (zone, version, sum) VALUES (?1, ?2, ?3)")
        for zone in zones.zones(unlike: try zoneSums(site: zones.site)) {
            insert.bind(zone, at: 1)
            insert.bind(version, at: 2)
            insert.bind((zones.sums[zone] ?? ZoneSum()).encoded, at: 3)
            try insert.finish()
        }
    }

    /// The zones of which anything changed after a state, up to one that is not published yet.
    func zonesChanged(since version: Int64, upTo next: ZoneSums) throws(AuthorityError) -> Set<String> {
        var zones = next.zones(unlike: try zoneSums(site: next.site))
        let query = try prepare("SELECT zone FROM people_zone WHERE version > ?1")
        query.bind(version, at: 1)
        defer { query.reset() }
        while try query.next() { zones.insert(query.text(0)) }
        return zones
    }
}
