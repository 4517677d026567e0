import SiteData
import SiteRules

/// Nothing that is published lets somebody pass by old rules where new ones that are not signed yet let nobody.
extension Authority {
    /// Lets go of what may be published by now, and holds back what must not be.
    func holdBack(_ judge: PublicationJudge) throws(AuthorityError) {
        try database.transaction { () throws(AuthorityError) in
            for (record, reason) in try heldBack(judge) where reason == nil { try database.letGo(record) }
            let members = try database.members(of: judge.pending.groups)
            var waiting: [PublicationRecord] = [], leaving: [Membership] = []
            // Where nothing waits for rules, as most of the time, nobody is looked at.
            if !judge.pending.groups.isEmpty {
                try database.forEachChange(since: database.peopleVersion()) { change throws(AuthorityError) in
                    switch change {
                    case .put(let record): if try waits(record, judge.pending, members) { waiting.append(record) }
                    case .gone(.membership(let membership)): leaving.append(membership)
                    case .gone: break
                    }
                }
            }
            for record in waiting { try database.holdBack(record) }
            // Who stays bound is known when it is known who joins what.
            for membership in try database.membershipsOfNobody() where try !binds(membership, judge.pending) { try database.letLeave(membership) }
            for membership in leaving where try database.hasLeft(membership) {
                if try binds(membership, judge.pending) { try database.keepInGroup(membership) }
            }
        }
    }

    /// Holds back what is more than the site allows.
    func holdBackExcess(_ judge: PublicationJudge) throws(AuthorityError) {
        try database.transaction { () throws(AuthorityError) in
            var excessive: [PublicationRecord] = []
            try database.forEachChange(since: 0) { change in
                if case .put(let record) = change, judge.excess(of: record) != nil { excessive.append(record) }
            }
            for record in excessive { try database.holdBack(record) }
        }
    }

    /// What is held back, each with the reason; nil where there is none any more.
    func heldBack(_ judge: PublicationJudge) throws(AuthorityError) -> [(record: PublicationRecord, reason: HeldBack.Reason?)] {
        let records = try database.heldRecords()
        guard !records.isEmpty else { return [] }
        let members = try database.members(of: judge.pending.groups)
        var held: [(record: PublicationRecord, reason: HeldBack.Reason?)] = []
        for record in records {
            let isWaiting = try waits(record, judge.pending, members)
            held.append((record, judge.excess(of: record).map(HeldBack.Reason.excess) ?? (isWaiting ? .unsignedRules : nil)))
        }
        return held
    }

    /// Whether a record would let somebody pass by old rules. What becomes of what gates have had does not wait.
    private func waits(_ record: PublicationRecord, _ pending: PendingRules, _ members: Set<String>) throws(AuthorityError) -> Bool {
        guard let name = PeopleKey(record), try !database.isTold(name) else { return false }
        switch record {
        case .enrolled(let key): return members.contains(key.subject)
        case .uidOnlyCard(let card): return members.contains(card.subject)
        case .rule(.membership(let membership)):
            guard pending.groups.contains(membership.group) else { return false }
            // Whoever was free has less even by old rules; whoever was not may have more.
            return try pending.bindsAtGates(membership.group) ? database.wasIn(pending.boundAtGates ?? [], membership.subject) : true
        case .issuer, .gateCredential, .revocation, .rule, .ceiling, .message: return false
        }
    }

    /// Whether a membership that the office has ended alone keeps somebody bound at gates whom the office does not mean to be free: there whoever is in
    /// no group that a rule names passes at all times. In several groups one may do what any of them may, so who stays bound only loses by leaving.
    private func binds(_ membership: Membership, _ pending: PendingRules) throws(AuthorityError) -> Bool {
        guard pending.mayBindAtGates(membership.group), try database.isIn(pending.boundHere, membership.subject) else { return false }
        return try !database.staysIn(pending.boundAtGates ?? [], membership.subject)
    }
}
