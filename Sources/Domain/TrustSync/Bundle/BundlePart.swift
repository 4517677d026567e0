/// The two parts of a site's data in a repository, each signed by a role of its own.
public enum BundlePart: String, Hashable, Sendable {
    /// Issuers, gates, rules, the ceiling and words: signed offline, always whole.
    case site
    /// Enrolled keys, UID-only cards, revocations and memberships: signed online, whole or as changes.
    case people

    /// The kinds of records that may stand in it.
    var kinds: Set<UInt64> {
        switch self {
        case .site: Self.siteKinds
        case .people: Self.peopleKinds
        }
    }

    private static let siteKinds: Set<UInt64> = [1, 2, 4, 5, 6, 7, 8, 9, 10, 13, 14]
    private static let peopleKinds: Set<UInt64> = [3, 4, 11, 12]
}
