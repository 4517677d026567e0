import Cryptography
import Encoding
import TrustSync

/// What must not be forgotten even if `trust.db` is: kept in the small file `trust.floor`, synced after
/// each applied publication. Without it a gate whose file was damaged would take an old publication again.
struct TrustFloor: Equatable, Sendable {
    /// SHA-256 of the site's name: names may be longer than the file's slots.
    let site: [UInt8]
    let version: UInt64
    let bodyHash: [UInt8]
    let issuedAt: Int64
    let generation: UInt64

    init(_ publication: TrustPublication, after previous: TrustFloor?) {
        site = Self.hash(ofSite: publication.site, publication.origin)
        version = publication.version
        bodyHash = publication.bodyHash
        switch publication.origin {
        case .publication: issuedAt = max(publication.issuedAt, previous?.issuedAt ?? publication.issuedAt)
        // The gate's own clock said when: that is no evidence of the time.
        case .siteFile: issuedAt = previous?.issuedAt ?? 0
        }
        generation = publication.generation
    }

    /// The same, with a time of issue that is no later than `latest`, UNIX seconds.
    func issued(notAfter latest: Int64) -> TrustFloor {
        TrustFloor(site: site, version: version, bodyHash: bodyHash, issuedAt: min(issuedAt, latest), generation: generation)
    }

    private init(site: [UInt8], version: UInt64, bodyHash: [UInt8], issuedAt: Int64, generation: UInt64) {
        self.site = site
        self.version = version
        self.bodyHash = bodyHash
        self.issuedAt = issuedAt
        self.generation = generation
    }

    /// Whether it is about that site and the same way to come by its data: an authority counts on its own.
    func concerns(site name: String, _ origin: SiteDataOrigin) -> Bool { site == Self.hash(ofSite: name, origin) }

    /// Names of sites have no zero bytes.
    private static func hash(ofSite name: String, _ origin: SiteDataOrigin) -> [UInt8] {
        switch origin {
        case .publication: SHA256.hash(Array(name.utf8))
        case .siteFile: SHA256.hash(Array("site-file\0\(name)".utf8))
        }
    }

    /// What the next publication is measured against.
    var applied: PublicationExpectation.Applied {
        PublicationExpectation.Applied(version: version, bodyHash: bodyHash)
    }

    var encoded: [UInt8] {
        CBOR.array([
            .bytes(site), .unsigned(version), .bytes(bodyHash), CBOR(issuedAt), .unsigned(generation)
        ]).encoded
    }

    init?(_ bytes: [UInt8]) {
        guard let items = (try? CBOR.decode(bytes))?.array, items.count == 5,
              let site = items[0].bytes, let version = items[1].unsignedInteger, let bodyHash = items[2].bytes,
              let issuedAt = items[3].integer, let generation = items[4].unsignedInteger
        else { return nil }
        self.site = site
        self.version = version
        self.bodyHash = bodyHash
        // Milliseconds are made of it.
        self.issuedAt = min(max(0, issuedAt), SitePublication.latestTime)
        self.generation = generation
    }
}
