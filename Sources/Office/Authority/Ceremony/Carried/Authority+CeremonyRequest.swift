import Cryptography
import Encoding
import SiteData

/// What a ceremony asks for: what was changed since root and targets signed, what is soon over, and who comes or goes.
extension Authority {
    /// - Returns: nil if nothing has to be signed.
    func request(_ plan: CeremonyPlan, now: Int64) throws(AuthorityError) -> CeremonyRequest? {
        var holders: [CeremonyHolder] = []
        for role in RepositoryRole.allCases { for name in plan.holders[role] ?? [] { holders.append(try CeremonyHolder(role, name)) } }
        for (place, holder) in holders.enumerated() where holders[..<place].contains(where: { $0.name == holder.name }) {
            throw .repository(.holderTwice(holder.name))
        }
        let drafts = if let path = plan.repository { try firstDrafts(plan, path, now: now) } else { try nextDrafts(plan, now: now) }
        guard drafts.root != nil || drafts.targets != nil else { return nil }
        return CeremonyRequest(site: site, holders: holders, root: drafts.root, targets: drafts.targets, names: holderNames())
    }

    /// By what names the office knows keys that are elsewhere.
    private func holderNames() -> [String: String] {
        KeyNames.beside(folder.path(of: "\(Self.rolesFolder)/.")).filter { CeremonyHolder.isName($0.value) }
    }

    // A site begins -------------------------------------------------------------------------------

    private typealias Drafts = (root: Draft?, targets: Draft?)

    private func firstDrafts(_ plan: CeremonyPlan, _ path: String, now: Int64) throws(AuthorityError) -> Drafts {
        let before = try database.repository()
        if let before, !plan.isReplacement { throw .repository(.alreadyThere(path: before.path)) }
        guard try RepositoryFolder(path: path).newestVersion(.root) == 0 else { throw .repository(.alreadyThere(path: path)) }
        try folder.makeFolder(Self.rolesFolder)
        var keys: [RoleKey] = [], thresholds: [RepositoryRole: Int] = [:]
        for role in RepositoryRole.allCases {
            thresholds[role] = plan.thresholds[role] ?? 1
            if role.isOffline { try Self.check(role, holders: plan.holders[role] ?? [], beside: [], threshold: thresholds[role] ?? 1) }
            // The same that `makeRepository` will find when everything is signed.
            if !role.isOffline { keys.append(try makeKey(of: role, number: database.roleKeys(role).count + 1, now: now)) }
        }
        func span(_ role: RepositoryRole) -> SignedPart.Span {
            SignedPart.Span(version: 1, issuedAt: now, validSeconds: plan.validSeconds[role] ?? role.usualSeconds)
        }
        let data = try siteData(epoch: (before?.epoch ?? 0) + 1, now: now).bytes
        let file = SignedPart.File(path: SignedPart.siteData, length: data.count, hash: SHA256.hash(data))
        let targets = SignedPart.targets(span(.targets), site: file, people: keys.filter { $0.role == .people }, threshold: 1)
        return (Draft(site: site, role: .root, signed: SignedPart.root(span(.root), keys: keys, thresholds: thresholds), inForce: nil),
                Draft(site: site, role: .targets, signed: targets, inForce: nil, siteData: data))
    }

    /// Refuses a role for which nobody could sign.
    static func check(_ role: RepositoryRole, holders: [String], beside keys: [RoleKey], threshold: Int) throws(AuthorityError) {
        guard !holders.isEmpty else { return try check(role, keys, threshold: threshold) }
        guard threshold <= holders.count + keys.count else {
            throw .repository(.thresholdTooHigh(role, threshold: threshold, keys: holders.count + keys.count))
        }
    }

    // A site changes ------------------------------------------------------------------------------

    private func nextDrafts(_ plan: CeremonyPlan, now: Int64) throws(AuthorityError) -> Drafts {
        let (place, epoch) = try settledRepository(now: now)
        var next = plan
        next.removed = try plan.removed.map { name throws(AuthorityError) in try identifier(of: name) }
        let old = try signed(.root)
        let draft = try rootDraft(next, now: now)
        let isChanged = !plan.isEmpty || RepositoryRole.allCases.contains { $0.delegator == .root && Self.differs(draft.signed, old, $0) }
        let isRootDue = try isWanted(.root, now: now), areTargetsDue = try isWanted(.targets, now: now)
        let root = isChanged || isRootDue ? draft : nil
        let areSignedByOthers = root != nil && (plan.holders[.targets]?.isEmpty == false || Self.differs(draft.signed, old, .targets))
        let hasChanged = try siteHasChanged(epoch: epoch, now: now), isSigned = try targetsAreSigned(), peopleDiffer = try peopleDiffer()
        guard areSignedByOthers || areTargetsDue || hasChanged || !isSigned || peopleDiffer else { return (root, nil) }
        return (root, try targetsDraft(place, epoch: epoch, under: newest(.root) ?? .null, now: now))
    }

    /// Whether it is soon over, or shall count for another time than it does.
    private func isWanted(_ role: RepositoryRole, now: Int64) throws(AuthorityError) -> Bool {
        if try isDue(role, now: now) { return true }
        guard let signed = try signed(role), signed.issued > 0 else { return false }
        return try signed.expires - signed.issued != database.role(role).validSeconds
    }

    private static func differs(_ new: JSONObject, _ old: JSONObject?, _ role: RepositoryRole) -> Bool {
        guard let old else { return true }
        let (one, other) = (new.keys(of: role), old.keys(of: role))
        return Set(one.identifiers) != Set(other.identifiers) || one.threshold != other.threshold
    }

    /// Whether other keys shall sign people than targets say.
    private func peopleDiffer() throws(AuthorityError) -> Bool {
        guard let signed = try signed(.targets)?.keys(of: .people) else { return true }
        let wanted = try database.roleKeys(.people).filter { $0.until == nil }.map(\.identifier)
        let threshold = try database.role(.people).threshold
        return Set(signed.identifiers) != Set(wanted) || signed.threshold != threshold
    }

    /// The key of that name, or whose identifier begins so.
    private func identifier(of name: String) throws(AuthorityError) -> String {
        let names = holderNames()
        let keys = try database.roleKeys().filter { $0.until == nil && $0.role.isOffline }
        let named = keys.filter { names[$0.identifier] == name || $0.identifier.hasPrefix(name.lowercased()) }
        guard named.count == 1 else { throw .repository(.keyUnknown(.root, keyIdentifier: name)) }
        return named[0].identifier
    }
}
