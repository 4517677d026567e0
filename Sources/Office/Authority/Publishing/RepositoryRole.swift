import Cryptography
import SiteData

/// A role of the site's repository (TUF): what its keys sign.
public enum RepositoryRole: String, Hashable, Sendable, CaseIterable {
    /// The keys of the other roles. Offline.
    case root
    /// What the site decides: issuers, gates, rules, the most that people may be given. Offline.
    case targets
    /// People with their keys, cards, groups and revocations.
    case people
    /// Which versions there are.
    case snapshot
    /// That nothing newer is kept back.
    case timestamp

    /// The role in key files.
    public var keyRole: KeyRole {
        switch self {
        case .root: .root
        case .targets: .targets
        case .people: .people
        case .snapshot: .snapshot
        case .timestamp: .timestamp
        }
    }

    /// Whether its keys are kept away from every network, so that what they sign is drafted, carried to them and back.
    public var isOffline: Bool { self == .root || self == .targets }

    /// Who says whose keys count. The root says it of itself.
    public var delegator: RepositoryRole {
        switch self {
        case .root, .targets, .snapshot, .timestamp: .root
        case .people: .targets
        }
    }

    /// For how long what it signs counts, unless somebody says otherwise, in seconds.
    public var usualSeconds: Int64 {
        switch self {
        case .root: 365 * Self.day
        case .targets: 180 * Self.day
        case .people, .snapshot: 14 * Self.day
        case .timestamp: 3 * Self.day
        }
    }

    private static let day: Int64 = 86_400

    /// Its name in metadata.
    var roleName: RoleName {
        switch self {
        case .root: .root
        case .targets: .targets
        case .people: Self.peopleName
        case .snapshot: .snapshot
        case .timestamp: .timestamp
        }
    }

    private static let peopleName: RoleName = {
        guard let name = try? RoleName(delegated: RepositoryRole.people.rawValue) else { preconditionFailure("'people' may be delegated") }
        return name
    }()
}

/// What a new repository shall be.
public struct RepositoryPlan: Sendable {
    /// The folder for `metadata/` and `targets/`.
    public var path: String
    /// The public keys of root and targets; their private halves are elsewhere.
    public var keys: [RepositoryRole: [PublicKey]] = [:]
    /// How many of a role's keys must sign; 1 unless it is said.
    public var thresholds: [RepositoryRole: Int] = [:]
    /// For how long what a role signs counts, in seconds, where it is not the usual time.
    public var validSeconds: [RepositoryRole: Int64] = [:]
    /// All keys are made in the authority's folder, root and targets too.
    public var isTogether = false
    /// It takes the place of the one that there is, whose root nobody can sign for any more, or a thief can. Every gate needs its first root by hand.
    public var isReplacement = false

    /// A repository in a folder.
    public init(path: String) { self.path = path }
}
