import SiteData

/// What the verified metadata of a repository say about the bundles that are to be applied.
public struct RepositoryUpdate: Hashable, Sendable {
    /// The gate's site.
    public let site: String
    /// The newest state of people.
    public let state: SignedState
    /// SHA-256 of the site's part.
    public let siteHash: [UInt8]
    /// When people were signed, UNIX seconds; rights may last so long after it. Whoever calls believes it no further than what was signed offline
    /// allows.
    public let issuedAt: Int64
    /// From when on that is not to be taken any more, UNIX seconds.
    public let expiresAt: Int64
    /// The zones whose people the gate keeps, besides those of the whole site; nil: it keeps all.
    public let zones: Set<String>?
    /// The state before it; nil where the office names none.
    public let predecessor: Predecessor?
    /// The keys of targets, which declare epochs.
    public let keys: KeyMark

    /// What the metadata say.
    public init(site: String, state: SignedState, siteHash: [UInt8], issuedAt: Int64, expiresAt: Int64, zones: Set<String>? = nil, keys: KeyMark = KeyMark(),
                predecessor: Predecessor? = nil) {
        self.site = site
        self.state = state
        self.siteHash = siteHash
        self.zones = zones
        self.keys = keys
        self.predecessor = predecessor
        self.issuedAt = min(max(0, issuedAt), SitePublication.latestTime)
        self.expiresAt = min(max(0, expiresAt), SitePublication.latestTime)
    }
}
