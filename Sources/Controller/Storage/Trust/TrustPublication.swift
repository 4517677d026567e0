import SiteData

/// The publication that a gate uses.
public struct TrustPublication: Hashable, Sendable {
    /// The site it belongs to.
    public let site: String
    /// The authority's count of publications.
    public let version: UInt64
    /// When it was issued, UNIX seconds.
    public let issuedAt: Int64
    /// From when on it is not to be taken any more, UNIX seconds.
    public let expiresAt: Int64
    /// SHA-256 of its body; the digest of the state where it comes from a repository.
    public let bodyHash: [UInt8]
    /// How many records of each kind it has.
    public let counts: PublicationCounts
    /// This gate's count of applied publications; what is cached is bound to it (V9).
    public let generation: UInt64
    /// Whether it was signed, or made from the site's own file. Version and time of issue of the latter are this gate's.
    public let origin: SiteDataOrigin
    /// When this gate applied it, UNIX seconds; nil when an older program did.
    public let appliedAt: Int64?
    /// What a repository says besides; nil for data from elsewhere.
    public let repository: RepositoryFacts?
    /// The version that was in use before, where this one was made without knowledge of it: two offices work on copies of one folder (`Predecessor`).
    public let forkedFrom: UInt64?

    /// Whether it is of the same site and says the same, whenever it was applied.
    func isSame(as other: TrustPublication) -> Bool {
        site == other.site && origin == other.origin && bodyHash == other.bodyHash
    }

    init(
        _ update: RepositoryUpdate, version: UInt64, digest: [UInt8], counts: PublicationCounts, generation: UInt64, appliedAt: Int64,
        _ repository: RepositoryFacts, forkedFrom: UInt64? = nil
    ) {
        self.init(
            site: update.site, version: version, issuedAt: update.issuedAt, expiresAt: update.expiresAt, bodyHash: digest, counts: counts,
            generation: generation, appliedAt: appliedAt, origin: .repository, repository: repository, forkedFrom: forkedFrom)
    }

    init(
        site: String, version: UInt64, issuedAt: Int64, expiresAt: Int64, bodyHash: [UInt8], counts: PublicationCounts,
        generation: UInt64, appliedAt: Int64? = nil, origin: SiteDataOrigin = .repository, repository: RepositoryFacts? = nil,
        forkedFrom: UInt64? = nil
    ) {
        self.site = site
        self.version = version
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.bodyHash = bodyHash
        self.counts = counts
        self.generation = generation
        self.appliedAt = appliedAt
        self.origin = origin
        self.repository = repository
        self.forkedFrom = forkedFrom
    }
}

/// Whether a gate has site data, and which.
public struct TrustStatus: Hashable, Sendable {
    /// What is there.
    public enum State: Hashable, Sendable {
        /// Questions are answered from this publication.
        case ready(TrustPublication)
        /// Nothing is granted until site data are put to use: none ever was (`no-trust-data`), or the
        /// file is damaged, of another site or of a newer version.
        case absent(StorageError)
    }

    /// What is there.
    public var state: State
    /// The `issued` of the last publication applied here, UNIX seconds, no later than the time of the last `resetFloor` after it: a floor for
    /// the clock that outlives the file.
    public var clockFloor: Int64?
    /// The version in which somebody signed it.
    public var clockFloorVersion: UInt64?
    /// The name a file that could not be used was given since the store was opened: damaged, of a newer
    /// version, or from the future.
    public var setAside: String?
    /// Why `trust.floor` does not say which publication is in use, nil if it does. Should `trust.db` be damaged
    /// meanwhile, the gate takes an older publication again.
    public var floorFailure: StorageError?

    /// The publication in use.
    public var publication: TrustPublication? {
        if case .ready(let publication) = state { publication } else { nil }
    }
}

/// What is known of site data that come from a repository, beside what all site data have.
public struct RepositoryFacts: Hashable, Sendable {
    /// Versions count within it.
    public let epoch: UInt64
    /// SHA-256 of the site's part: whether there is another one shows in the metadata.
    public let siteHash: [UInt8]
    /// What people may be given at most.
    public let ceiling: Ceiling
    /// The zones whose people are there, besides those of the whole site; nil: all people are.
    public let zones: Set<String>?

    init(epoch: UInt64, siteHash: [UInt8], ceiling: Ceiling, zones: Set<String>? = nil) {
        self.epoch = epoch
        self.siteHash = siteHash
        self.ceiling = ceiling
        self.zones = zones
    }
}
