import Encoding

/// What is signed is what is shown: all of it follows from what a person reads.
extension Draft {
    /// Whether the signed part says nothing besides keys, thresholds, dates and the site's data: made from these anew, it is the same.
    var saysNothingElse: Bool {
        guard let span, let again = role == .root ? rootAgain(span) : targetsAgain(span) else { return false }
        return areThresholdsSound && JSON.object(again).signedForm == JSON.object(signed).signedForm
    }

    /// Somebody must sign for each role, and enough can.
    private var areThresholdsSound: Bool {
        RepositoryRole.allCases.filter { $0.delegator == role }.allSatisfy { role in
            let (identifiers, threshold) = signed.keys(of: role)
            return threshold >= 1 && threshold <= Set(identifiers).count
        }
    }

    /// What it says of the site; nil if that cannot be shown whole.
    var contents: SiteContents? { siteData.flatMap { SiteContents(parsing: $0, site: site) } }

    /// The same of what is in force.
    var contentsBefore: SiteContents? { siteDataBefore.flatMap { SiteContents(parsing: $0, site: site) } }

    /// This root with these keys besides its own; nil if it is none of ours.
    func adding(_ keys: [RoleKey]) -> Draft? {
        guard role == .root, let span, let signed = rootAgain(span, adding: keys) else { return nil }
        return Draft(site: site, role: role, signed: signed, inForce: inForce)
    }

    /// These targets, as they will count under a root that is signed beside them.
    func under(_ root: JSON) -> Draft {
        Draft(site: site, role: role, signed: signed, inForce: inForce, rootFile: root, siteData: siteData, siteDataBefore: siteDataBefore)
    }

    private var span: SignedPart.Span? {
        guard let issued = signed[SignedPart.issued]?.string.flatMap(UTCText.readSeconds), let expires = signed["expires"]?.string.flatMap(UTCText.readSeconds),
              version >= 1, issued <= expires else { return nil }
        return SignedPart.Span(version: version, issuedAt: issued, validSeconds: expires - issued)
    }

    private func rootAgain(_ span: SignedPart.Span, adding more: [RoleKey] = []) -> JSONObject? {
        var keys: [RoleKey] = [], thresholds: [RepositoryRole: Int] = [:]
        for role in RepositoryRole.allCases where role.delegator == .root {
            guard let own = roleKeys(role) else { return nil }
            keys += own + more.filter { $0.role == role }
            thresholds[role] = signed.keys(of: role).threshold
        }
        return SignedPart.root(span, keys: keys, thresholds: thresholds)
    }

    private func targetsAgain(_ span: SignedPart.Span) -> JSONObject? {
        guard let people = roleKeys(.people), let file = SignedPart.File(SignedPart.siteData, signed["targets"]?[SignedPart.siteData]) else { return nil }
        return SignedPart.targets(span, site: file, people: people, threshold: signed.keys(of: .people).threshold)
    }

    /// Nil if one of them is no key of ours.
    private func roleKeys(_ role: RepositoryRole) -> [RoleKey]? {
        var keys: [RoleKey] = []
        for identifier in signed.keys(of: role).identifiers {
            guard let key = signed.key(identifier, of: role) else { return nil }
            keys.append(RoleKey(role: role, key: key, file: nil, since: 0, until: nil))
        }
        return keys
    }
}
