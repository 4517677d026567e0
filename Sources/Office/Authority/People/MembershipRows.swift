import SiteRules
import Storage

/// The statements about single memberships, prepared once for many of them.
final class MembershipRows {
    private let database: AuthorityDatabase
    private let find: SQLiteStatement
    private let insert: SQLiteStatement
    private let update: SQLiteStatement
    private let delete: SQLiteStatement

    init(_ database: AuthorityDatabase) throws(AuthorityError) {
        self.database = database
        find = try database.prepare("SELECT source FROM membership WHERE member_of = ?1 AND subject = ?2")
        insert = try database.prepare("""
            INSERT INTO membership (member_of, subject, source, state_version) VALUES (?1, ?2, ?3, \(AuthorityDatabase.nextState))
            """)
        update = try database.prepare("UPDATE membership SET source = ?3 WHERE member_of = ?1 AND subject = ?2")
        delete = try database.prepare("DELETE FROM membership WHERE member_of = ?1 AND subject = ?2")
    }

    /// `source` says that somebody belongs to a group.
    /// - Returns: whether nobody said so before.
    func add(_ membership: Membership, by source: MembershipSource) throws(AuthorityError) -> Bool {
        guard let known = try sources(of: membership) else {
            try run(insert, membership, source)
            try database.comeBack(.membership(membership))
            return true
        }
        if !known.contains(source) { try run(update, membership, known.union(source)) }
        // It may be there for gates alone.
        return known.isEmpty
    }

    /// `source` says no more that somebody belongs to a group.
    /// - Returns: whether nobody says so any more.
    func remove(_ membership: Membership, by source: MembershipSource) throws(AuthorityError) -> Bool {
        guard let known = try sources(of: membership), known.contains(source) else { return false }
        let rest = known.subtracting(source)
        guard rest.isEmpty else {
            try run(update, membership, rest)
            return false
        }
        try database.rememberTold(membership)
        try run(delete, membership, nil)
        try database.leave(.membership(membership))
        return true
    }

    private func sources(of membership: Membership) throws(AuthorityError) -> MembershipSource? {
        defer { find.reset() }
        find.bind(membership.group, at: 1)
        find.bind(membership.subject, at: 2)
        return try find.next() ? MembershipSource(rawValue: find.integer(0)) : nil
    }

    private func run(_ statement: SQLiteStatement, _ membership: Membership, _ source: MembershipSource?) throws(AuthorityError) {
        statement.bind(membership.group, at: 1)
        statement.bind(membership.subject, at: 2)
        if let source { statement.bind(source.rawValue, at: 3) }
        try statement.finish()
    }
}

/// Who said that somebody belongs to a group. The bits are written into the database: never renumbered. A membership is
/// there for as long as one of them says so.
struct MembershipSource: OptionSet {
    let rawValue: Int64

    /// The file of the site's rules, with the files of members that it names.
    static let rules = MembershipSource(rawValue: 1)
    /// A command, such as an imported list.
    static let command = MembershipSource(rawValue: 2)
}
