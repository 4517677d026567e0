import Credentials
import Cryptography
import Encoding

/// What the site key signs about a publication.
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
    /// The publication that the office had made before; nil for the first one, and from older offices.
    public let predecessor: Predecessor?

    init(site: String, version: UInt64, issuedAt: Int64, expiresAt: Int64, bodyLength: UInt64,
         bodyHash: [UInt8], counts: PublicationCounts, predecessor: Predecessor? = nil) {
        self.site = site
        self.version = version
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.bodyLength = bodyLength
        self.bodyHash = bodyHash
        self.counts = counts
        self.predecessor = predecessor
    }

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
        let named = cbor[Label.predecessor], predecessor = named.flatMap { Predecessor(cbor: $0) }
        guard (named == nil) == (predecessor == nil), predecessor.map({ $0.version < version }) ?? true else { throw .malformedManifest }
        self.init(site: site, version: version, issuedAt: issuedAt, expiresAt: expiresAt, bodyLength: bodyLength,
                  bodyHash: bodyHash, counts: counts, predecessor: predecessor)
    }

    var cbor: CBOR {
        var fields: CBORMap = [
            Label.format: .unsigned(SitePublication.format), Label.site: .text(site), Label.version: .unsigned(version),
            Label.issuedAt: CBOR(issuedAt), Label.expiresAt: CBOR(expiresAt), Label.bodyLength: .unsigned(bodyLength),
            Label.bodyHash: .bytes(bodyHash), Label.counts: counts.cbor
        ]
        fields[Label.ruleCounts] = counts.ruleCounts
        fields[Label.cardCount] = counts.cardCount
        fields[Label.predecessor] = predecessor?.cbor
        return .map(fields)
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
        static let predecessor: CBOR = 11
    }
}

/// Makes a publication. The manifest comes first in the file and is known last: the caller writes the
/// body to a file of its own while adding records, and then the signed manifest and the body after
/// one another.
public struct PublicationWriter: Sendable {
    private var digest = HashStream.sha256
    private var length: UInt64 = 0
    private var counts = PublicationCounts()

    /// A body without records.
    public init() {}

    /// Counts a record in; the answer is what to append to the body.
    public mutating func add(_ record: PublicationRecord) -> [UInt8] {
        let encoded = record.encoded
        digest.update(encoded)
        length += UInt64(encoded.count)
        counts.count(record)
        return encoded
    }

    /// The SHA-256 of the body so far.
    public var bodyHash: [UInt8] { digest.finish() }

    /// The signed manifest of the records added so far: what stands before the body. Times are UNIX
    /// seconds. Throws `malformedManifest` for values that no reader would take.
    public func signedManifest(site: String, version: UInt64, issuedAt: Int64, expiresAt: Int64, after predecessor: Predecessor? = nil,
                               key: SigningKey) throws(PublicationError) -> [UInt8] {
        let manifest = PublicationManifest(site: site, version: version, issuedAt: issuedAt, expiresAt: expiresAt,
                                           bodyLength: length, bodyHash: bodyHash, counts: counts, predecessor: predecessor)
        _ = try PublicationManifest(cbor: manifest.cbor)
        do throws(COSEError) {
            let header: CBORMap = [COSEHeader.contentType: .text(SitePublication.contentType)]
            return try COSESign1.sign(payload: manifest.cbor.encoded, protected: header, key: key).encoded
        } catch {
            throw .signingFailed
        }
    }
}
