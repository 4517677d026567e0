import Credentials
import Cryptography
import Encoding

/// What the site's key signed about a publication in one file.
public struct PublicationManifest: Hashable, Sendable {
    /// The site.
    public let site: String
    /// Counts the publications of the site; never goes back.
    public let version: UInt64
    /// When it was issued, UNIX seconds: 0 to `SitePublication.latestTime`, as `expiresAt`.
    public let issuedAt: Int64
    /// The first second at which it is not to be taken any more, UNIX time.
    public let expiresAt: Int64
    /// Length of the body in bytes.
    public let bodyLength: UInt64
    /// SHA-256 of the body.
    public let bodyHash: [UInt8]
    /// How many records the body has.
    public let counts: PublicationCounts

    init(cbor: CBOR) throws(PublicationError) {
        guard let format = cbor[Label.format]?.unsignedInteger else { throw .malformedManifest }
        guard format == SitePublication.format else { throw .unsupportedFormat(format) }
        guard let site = cbor[Label.site]?.text, let version = cbor[Label.version]?.unsignedInteger, version > 0,
              version <= UInt64(Int64.max), let issuedAt = cbor[Label.issuedAt]?.integer, issuedAt >= 0,
              let expiresAt = cbor[Label.expiresAt]?.integer, expiresAt > issuedAt, expiresAt <= SitePublication.latestTime,
              let bodyLength = cbor[Label.bodyLength]?.unsignedInteger,
              let bodyHash = cbor[Label.bodyHash]?.bytes, bodyHash.count == 32,
              let counts = PublicationCounts(cbor: cbor[Label.counts], rules: cbor[Label.ruleCounts], cards: cbor[Label.cardCount])
        else { throw .malformedManifest }
        (self.site, self.version, self.issuedAt, self.expiresAt) = (site, version, issuedAt, expiresAt)
        (self.bodyLength, self.bodyHash, self.counts) = (bodyLength, bodyHash, counts)
    }

    private enum Label {
        static let format: CBOR = 1
        static let site: CBOR = 2
        static let version: CBOR = 3
        static let issuedAt: CBOR = 4
        static let expiresAt: CBOR = 5
        static let bodyLength: CBOR = 6
        static let bodyHash: CBOR = 7
        static let counts: CBOR = 8
        static let ruleCounts: CBOR = 9
        static let cardCount: CBOR = 10
    }
}
