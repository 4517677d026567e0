import SiteRules
import Storage

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
