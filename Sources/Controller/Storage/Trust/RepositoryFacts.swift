import TrustSync

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
