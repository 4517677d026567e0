import Credentials
import Cryptography
import Vocabulary

/// What a gate expects of the next publication.
public struct PublicationExpectation: Hashable, Sendable {
    /// The site it belongs to.
    public let site: String
    /// The key of the site.
    public let siteKey: PublicKey
    /// The publication in use; nil: none yet.
    public let previous: Applied?
    /// The time.
    public let clock: ClockReading
    /// When the gate's program was built, UNIX seconds: what a clock that is not believed is measured by.
    public let builtAt: Int64

    /// The publication in use.
    public struct Applied: Hashable, Sendable {
        /// Its version.
        public let version: UInt64
        /// SHA-256 of its body.
        public let bodyHash: [UInt8]

        /// A publication that was applied.
        public init(version: UInt64, bodyHash: [UInt8]) {
            self.version = version
            self.bodyHash = bodyHash
        }
    }

    /// An expectation.
    public init(site: String, siteKey: PublicKey, previous: Applied?, clock: ClockReading, builtAt: Int64) {
        self.site = site
        self.siteKey = siteKey
        self.previous = previous
        self.clock = clock
        self.builtAt = builtAt
    }

    /// Whether a manifest whose signature is good may be taken here and now: the right site, no older
    /// version than the one in use, not expired. The same publication again is allowed.
    func check(_ manifest: PublicationManifest) throws(PublicationError) {
        guard manifest.site == site else { throw .wrongSite }
        if let previous {
            guard manifest.version >= previous.version else {
                throw .rollback(have: previous.version, given: manifest.version)
            }
            guard manifest.version > previous.version || manifest.bodyHash == previous.bodyHash else {
                throw .versionReused(manifest.version)
            }
        }
        // Even a clock that is not trusted is never below its floor.
        guard clock.seconds < manifest.expiresAt else { throw .expired }
        guard manifest.issuedAt <= latestIssue else { throw .issuedInFuture }
    }

    /// The latest time at which a publication can have been issued, as far as this gate can know.
    private var latestIssue: Int64 {
        if let latest = clock.latestDate { return latest }
        let (latest, overflow) = builtAt.addingReportingOverflow(SitePublication.longestIssuedAfterBuild)
        return overflow ? .max : latest
    }
}
