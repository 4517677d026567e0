import Configuration
import Credentials
import Encoding
import Files
import SiteFile
import SiteRules
import Storage
import Threads

/// What the site decides about time and places: one file, taken whole or not at all.
extension Authority {
    /// Checks a file with the files that it names, where nobody knows the office's issuers.
    public static func checkRules(at path: String) throws(AuthorityError) -> AppliedRules { try AppliedRules(load(path, in: .office)) }

    /// The same where they are known.
    public func checkRules(at path: String) throws(AuthorityError) -> AppliedRules { try AppliedRules(Self.load(path, in: rulesContext())) }

    private func rulesContext() throws(AuthorityError) -> SiteFileContext {
        var context = SiteFileContext.office
        // What is said of an issuer of the office holds for the next one too.
        context.issuers = try database.tokenIssuers().filter { $0.droppedAt == nil || !$0.isElsewhere }.map(\.name)
        return context
    }

    /// Keeps what a file says in the place of all that was kept before: rules and members. Gates know with the next publication.
    /// - Parameter mostLost: so many percent of the memberships that the rules said may go; nil: any number.
    public func applyRules(at path: String, mostLost: Int? = nil, now: Int64) throws(AuthorityError) -> AppliedRules {
        let site = try Self.load(path, in: rulesContext())
        let text: [UInt8]
        do throws(SystemError) { text = try SmallFile.read(path, limit: SiteFile.maximumBytes) } catch { throw .system(error) }
        try database.transaction { () throws(AuthorityError) in
            try database.replaceRules(with: site.rules.records)
            try database.replaceMemberships(with: site.memberships, mostLost: mostLost)
            try database.refuseTooManyGroups()
            try database.keep(ceiling: site.ceiling)
            try database.keep(issuerCeilings: site.issuerCeilings)
            try database.replaceSiteDecisions(with: site.revocations, site.messages)
            try database.keepFile(KeptRules(text: text, keptAt: now))
        }
        return AppliedRules(site, try revocationsOfNobody(site, file: path))
    }

    /// What is revoked from nobody may be a name that was mistyped, and its owner is let in. It may be somebody of long ago, too.
    private func revocationsOfNobody(_ site: LoadedSite, file: String) throws(AuthorityError) -> [ConfigurationIssue] {
        var warnings: [ConfigurationIssue] = []
        for case .subject(let subject) in site.revocations where try !database.isKnown(.subject(subject)) {
            warnings.append(ConfigurationIssue(severity: .warning, file: file, position: nil, code: "revocation-of-nobody",
                                               message: "[[revocation]] names '\(subject)', of whom nothing is known here.", suggestion: try nearestSubject(to: subject)))
        }
        for case .issuer(let issuer) in site.revocations where try !database.isKnown(.issuer(issuer)) {
            warnings.append(ConfigurationIssue(severity: .warning, file: file, position: nil, code: "revocation-of-nobody",
                                               message: "[[revocation]] names the issuer '\(issuer)', of which nothing is known here."))
        }
        return warnings
    }

    /// The file that is in force; nil when none was taken yet.
    public func keptRules() throws(AuthorityError) -> KeptRules? { try database.keptFile() }

    /// Goes through the memberships, by group and subject.
    public func forEachMembership(_ body: (Membership) -> Void) throws(AuthorityError) {
        try database.forEachMembership { membership in body(membership) }
    }

    private static func load(_ path: String, in context: SiteFileContext) throws(AuthorityError) -> LoadedSite {
        do throws(InvalidSiteFile) { return try SiteFile.load(path: path, in: context) } catch { throw .rules(error) }
    }
}

extension AppliedRules {
    fileprivate init(_ site: LoadedSite, _ warnings: [ConfigurationIssue] = []) {
        self.init(rules: site.rules.records.count, memberships: site.memberships.count, warnings: site.warnings + warnings)
    }
}

extension AuthorityDatabase {
    /// Memberships that the rules say stay as they are.
    func replaceRules(with records: [SiteRecord]) throws(AuthorityError) {
        try prepare("DELETE FROM rule").finish()
        let rule = try prepare("INSERT INTO rule (record) VALUES (?1)")
        for record in records {
            rule.bind(record.cbor.encoded, at: 1)
            try rule.finish()
        }
    }

    /// Changes what differs, so that the next small publication has no more than that.
    fileprivate func replaceMemberships(with memberships: [Membership], mostLost: Int?) throws(AuthorityError) {
        try prepare("CREATE TEMP TABLE IF NOT EXISTS wanted (member_of TEXT, subject TEXT, PRIMARY KEY (member_of, subject)) WITHOUT ROWID").finish()
        try prepare("DELETE FROM temp.wanted").finish()
        let insert = try prepare("INSERT INTO temp.wanted (member_of, subject) VALUES (?1, ?2)")
        for membership in memberships {
            insert.bind(membership.group, at: 1)
            insert.bind(membership.subject, at: 2)
            try insert.finish()
        }
        let said = "SELECT count(*) FROM membership WHERE source & \(MembershipSource.rules.rawValue) > 0"
        try ListLoss(count: singleNumber("\(said) AND \(Self.isNotWanted)"), total: singleNumber(said)).refuse(above: mostLost)
        for statement in Self.membershipDifference { try prepare(statement).finish() }
    }

    /// What only the rules said and say no more goes; what a command said too stays; what they say now comes.
    private static let membershipDifference = [
        """
        INSERT OR REPLACE INTO gone (kind, part, value, name, state_version)
            SELECT \(GoneRow.Kind.membership), 0, CAST(subject AS BLOB), member_of, \(nextState) FROM membership
            WHERE source = \(MembershipSource.rules.rawValue) AND \(isNotWanted)
        """,
        """
        INSERT OR IGNORE INTO people_told (kind, part, value, name, record)
            SELECT \(GoneRow.Kind.membership), 0, CAST(subject AS BLOB), member_of, x'' FROM membership
            WHERE source = \(MembershipSource.rules.rawValue) AND \(isTold) AND \(isNotWanted)
        """,
        "DELETE FROM membership WHERE source = \(MembershipSource.rules.rawValue) AND \(isNotWanted)",
        "UPDATE membership SET source = source & ~\(MembershipSource.rules.rawValue) WHERE \(isNotWanted)",
        """
        INSERT INTO membership (member_of, subject, source, state_version)
            SELECT member_of, subject, \(MembershipSource.rules.rawValue), \(nextState) FROM temp.wanted WHERE true
            ON CONFLICT (member_of, subject) DO UPDATE SET source = source | excluded.source
        """,
        """
        DELETE FROM gone WHERE kind = \(GoneRow.Kind.membership) AND EXISTS
            (SELECT 1 FROM temp.wanted WHERE member_of = gone.name AND CAST(subject AS BLOB) = gone.value) AND NOT EXISTS
            (SELECT 1 FROM membership WHERE member_of = gone.name AND subject = CAST(gone.value AS TEXT) AND state_version = 0)
        """,
        "DELETE FROM temp.wanted"
    ]

    private static let isNotWanted = """
        NOT EXISTS (SELECT 1 FROM temp.wanted AS said WHERE said.member_of = membership.member_of AND said.subject = membership.subject)
        """

    fileprivate func keepFile(_ kept: KeptRules) throws(AuthorityError) {
        let insert = try prepare("INSERT OR REPLACE INTO rule_file (id, text, kept_at) VALUES (1, ?1, ?2)")
        insert.bind(kept.text, at: 1)
        insert.bind(kept.keptAt, at: 2)
        try insert.finish()
    }

    fileprivate func keptFile() throws(AuthorityError) -> KeptRules? {
        let query = try prepare("SELECT text, kept_at FROM rule_file")
        defer { query.reset() }
        return try query.next() ? KeptRules(text: query.bytes(0), keptAt: query.integer(1)) : nil
    }

    /// Rules in their order.
    func forEachRule(_ body: (SiteRecord) throws(AuthorityError) -> Void) throws(AuthorityError) {
        let query = try prepare("SELECT record FROM rule ORDER BY id")
        defer { query.reset() }
        while try query.next() {
            guard let record = try? SiteRecord(cbor: CBOR.decode(query.bytes(0))) else { throw .damaged("a rule of the site is none") }
            try body(record)
        }
    }

    /// Memberships by group and subject.
    func forEachMembership(_ rows: PeopleRows = .all, _ body: (Membership) throws(AuthorityError) -> Void) throws(AuthorityError) {
        // All are those that the office says, not what only gates have to hear a while longer.
        let said = if case .all = rows { "WHERE \(Self.isSaid) " } else { "" }
        let query = try prepare("SELECT member_of, subject FROM membership \(said)\(rows.clause(inOrderOf: "member_of, subject"))")
        query.bind(rows)
        defer { query.reset() }
        while try query.next() {
            guard let group = query.writtenName(0), let subject = query.writtenName(1) else { throw .damaged("a member of '\(query.text(0))' is none") }
            try body(Membership(group: group, subject: subject))
        }
    }
}

/// What the authority holds of a site's rules.
public struct KeptRules: Sendable {
    /// The file, as it was when it was taken.
    public let text: [UInt8]
    /// When that was, UNIX seconds.
    public let keptAt: Int64
}
