import SiteRules
import TrustSync

/// Judges what may be published.
struct PublicationJudge {
    /// The most that people may be given, as gates will hold against it: what targets have signed.
    let ceiling: Ceiling
    /// The groups of which rules say something that is not signed yet.
    let waitingGroups: Set<String>
    let now: Int64

    /// What of a record is too much.
    func excess(of record: PublicationRecord) -> CeilingExcess? {
        do throws(CeilingExcess) {
            try ceiling.check(record, issuedAt: now)
            return nil
        } catch {
            return error
        }
    }
}

extension Authority {
    /// What targets have signed decides what may be published now.
    /// - Parameter isAnyway: somebody has said that nothing waits for rules.
    func publicationJudge(isAnyway: Bool, now: Int64) throws(AuthorityError) -> PublicationJudge {
        PublicationJudge(ceiling: try signedCeiling(), waitingGroups: isAnyway ? [] : try waitingGroups(), now: now)
    }

    /// The most that people may be given, as gates know it.
    func signedCeiling() throws(AuthorityError) -> Ceiling {
        guard let signed = try database.siteData() else { return try ceiling() }
        return SiteContents.ceiling(in: signed.bytes, site: site)
    }

    /// The groups of which rules say something that targets have not signed yet.
    private func waitingGroups() throws(AuthorityError) -> Set<String> {
        guard let bytes = try database.siteData()?.bytes, let records = SiteContents.records(in: bytes, site: site) else { return [] }
        let signed = Set(records.compactMap { record in if case .rule(let rule) = record { rule } else { nil } })
        var kept: Set<SiteRecord> = []
        try database.forEachRule { kept.insert($0) }
        let differing = signed.symmetricDifference(kept).filter(\.bindsGroups)
        // Schedules and what they rest on may be anybody's.
        let isOfRulesAlone = differing.allSatisfy { if case .access = $0 { true } else { false } }
        guard !differing.isEmpty else { return [] }
        return (isOfRulesAlone ? differing : signed.union(kept)).reduce(into: Set<String>()) { $0.formUnion($1.groups) }
    }

    /// Lets go of what may be published by now, and holds back what must not be.
    func holdBack(_ judge: PublicationJudge) throws(AuthorityError) {
        try database.transaction { () throws(AuthorityError) in
            let held = try heldBack(judge)
            for (record, reason) in held where reason == nil { try database.letGo(record) }
            for membership in try database.membershipsOfNobody() where !judge.waitingGroups.contains(membership.group) { try database.letLeave(membership) }
            guard !judge.waitingGroups.isEmpty else { return }
            let members = try database.members(of: judge.waitingGroups)
            for change in try changes(since: database.peopleVersion(), { change throws(AuthorityError) in try waits(change, judge, members) }) {
                switch change {
                case .put(let record): try database.holdBack(record)
                case .gone(.membership(let membership)): try database.keepInGroup(membership)
                case .gone: break
                }
            }
        }
    }

    /// Holds back what is more than the site allows.
    func holdBackExcess(_ judge: PublicationJudge) throws(AuthorityError) {
        try database.transaction { () throws(AuthorityError) in
            let excessive = try changes(since: 0) { change in
                if case .put(let record) = change { judge.excess(of: record) != nil } else { false }
            }
            for case .put(let record) in excessive { try database.holdBack(record) }
        }
    }

    /// What is held back, each with the reason; nil where there is none any more.
    func heldBack(_ judge: PublicationJudge) throws(AuthorityError) -> [(record: PublicationRecord, reason: HeldBack.Reason?)] {
        var records: [PublicationRecord] = []
        try database.forEachEnrolled(.held) { key, _ in records.append(.enrolled(key)) }
        try database.forEachPlainCard(.held) { card, _ in records.append(.plainCard(card)) }
        try database.forEachMembership(.held) { membership in records.append(.rule(.membership(membership))) }
        guard !records.isEmpty else { return [] }
        let members = try database.members(of: judge.waitingGroups)
        return records.map { record -> (record: PublicationRecord, reason: HeldBack.Reason?) in
            if let excess = judge.excess(of: record) { return (record, .excess(excess)) }
            return (record, record.isBound(by: judge.waitingGroups, members) ? .unsignedRules : nil)
        }
    }

    private func changes(since version: Int64, _ isWanted: (PeopleChange) throws(AuthorityError) -> Bool) throws(AuthorityError) -> [PeopleChange] {
        var found: [PeopleChange] = []
        try database.forEachChange(since: version) { change throws(AuthorityError) in if try isWanted(change) { found.append(change) } }
        return found
    }

    /// Whether a change would let somebody pass by old rules: a key or a card that gates have not had, and whatever becomes of a group.
    private func waits(_ change: PeopleChange, _ judge: PublicationJudge, _ members: Set<String>) throws(AuthorityError) -> Bool {
        switch change {
        case .put(let record):
            guard record.isBound(by: judge.waitingGroups, members), let name = PeopleKey(record) else { return false }
            return try !database.isTold(name)
        case .gone(.membership(let membership)):
            guard judge.waitingGroups.contains(membership.group) else { return false }
            return try database.isTold(.membership(membership))
        case .gone: return false
        }
    }
}

extension AuthorityDatabase {
    /// The most that people may be given here, by which whatever is kept of them is judged, so that whoever gives more hears of it at once. Where there
    /// is a repository gates hold people to something though the rules say nothing of it; nil: to nothing.
    func entryCeiling() throws(AuthorityError) -> Ceiling? {
        if let ceiling = try ceiling() { return ceiling }
        return try repository() == nil ? nil : .standard
    }
}

extension Ceiling {
    /// Refuses what is too much.
    func refuse(_ record: PublicationRecord, now: Int64) throws(AuthorityError) {
        do throws(CeilingExcess) { try check(record, issuedAt: now) } catch { throw .repository(.ceiling(subject: record.subject, error)) }
    }
}

extension SiteRecord {
    /// Whether it has a say in who passes where and when.
    fileprivate var bindsGroups: Bool {
        switch self {
        case .timeZone, .holidays, .schedule, .access, .zone: true
        case .lanePlan, .membership: false
        }
    }

    /// The groups that it names.
    fileprivate var groups: Set<String> {
        switch self {
        case .access(let rule): [rule.group]
        case .zone(let zone): Set(zone.exemptGroups)
        case .timeZone, .holidays, .schedule, .lanePlan, .membership: []
        }
    }
}

extension PublicationRecord {
    /// Whether rules of these groups have a say in what it lets somebody do.
    fileprivate func isBound(by groups: Set<String>, _ members: Set<String>) -> Bool {
        switch self {
        case .enrolled(let key): members.contains(key.subject)
        case .plainCard(let card): members.contains(card.subject)
        case .rule(.membership(let membership)): groups.contains(membership.group)
        case .issuer, .gateCredential, .revocation, .rule, .ceiling, .word: false
        }
    }
}
