import Cryptography
import Encoding
import SiteData

/// What must not be forgotten even if `trust.db` is: kept in the small file `trust.floor`, synced after
/// each applied publication. Without it a gate whose file was damaged would take an old publication again.
struct TrustFloor: Equatable, Sendable {
    /// SHA-256 of the site's name: names may be longer than the file's slots.
    let site: [UInt8]
    let version: UInt64
    let bodyHash: [UInt8]
    let issuedAt: Int64
    let generation: UInt64

    /// Within which versions count; 0 where there are no epochs.
    let epoch: UInt64
    /// Whose keys count epochs and versions; empty where nobody knows.
    let keys: KeyMark

    /// - Parameter keys: whose keys signed it; nil: as before.
    init(_ publication: TrustPublication, after previous: TrustFloor?, keys: KeyMark? = nil) {
        self.init(
            site: Self.hash(ofSite: publication.site, publication.origin), version: publication.version, bodyHash: publication.bodyHash,
            // The gate's own clock said when it was issued, or a key that is online: that is no evidence of the time. What an older program noted stays.
            issuedAt: previous?.issuedAt ?? 0, generation: publication.generation, epoch: publication.repository?.epoch ?? 0, keys: keys ?? previous?.keys ?? KeyMark())
    }

    /// The same, with a time of issue that is no later than `latest`, UNIX seconds.
    func issued(notAfter latest: Int64) -> TrustFloor {
        TrustFloor(site: site, version: version, bodyHash: bodyHash, issuedAt: min(issuedAt, latest), generation: generation, epoch: epoch, keys: keys)
    }

    private init(site: [UInt8], version: UInt64, bodyHash: [UInt8], issuedAt: Int64, generation: UInt64, epoch: UInt64, keys: KeyMark) {
        self.site = site
        self.version = version
        self.bodyHash = bodyHash
        // Milliseconds are made of it.
        self.issuedAt = min(max(0, issuedAt), SitePublication.latestTime)
        self.generation = generation
        self.epoch = epoch
        self.keys = keys
    }

    /// Whether it forbids a version: an older one of its epoch, or any of an older epoch.
    func isAbove(epoch other: UInt64, version otherVersion: UInt64) -> Bool { (other, otherVersion) < (epoch, version) }

    /// Whether it still means something where these keys sign: a thief of keys that were replaced may have counted as far as there are numbers.
    func counts(under newer: KeyMark) -> Bool { !keys.isReplaced(by: newer) }

    /// Whether it is about that site and the same way to come by its data: an authority counts on its own.
    func concerns(site name: String, _ origin: SiteDataOrigin) -> Bool { site == Self.hash(ofSite: name, origin) }

    /// Names of sites have no zero bytes.
    private static func hash(ofSite name: String, _ origin: SiteDataOrigin) -> [UInt8] {
        switch origin {
        case .publication: SHA256.hash(Array(name.utf8))
        case .siteFile: SHA256.hash(Array("site-file\0\(name)".utf8))
        case .repository: SHA256.hash(Array("repository\0\(name)".utf8))
        }
    }

    private enum Label {
        static let site: CBOR = 1
        static let version: CBOR = 2
        static let bodyHash: CBOR = 3
        static let issuedAt: CBOR = 4
        static let generation: CBOR = 5
        static let epoch: CBOR = 6
        static let keys: CBOR = 7
    }

    var encoded: [UInt8] {
        CBOR.map([
            Label.site: .bytes(site), Label.version: .unsigned(version), Label.bodyHash: .bytes(bodyHash), Label.issuedAt: CBOR(issuedAt),
            Label.generation: .unsigned(generation), Label.epoch: .unsigned(epoch), Label.keys: keys.cbor
        ]).encoded
    }

    /// Reads it, as this program and older ones wrote it.
    init?(_ bytes: [UInt8]) {
        guard let cbor = try? CBOR.decode(bytes) else { return nil }
        let fields = cbor.array ?? [cbor[Label.site], cbor[Label.version], cbor[Label.bodyHash], cbor[Label.issuedAt], cbor[Label.generation]]
            .compactMap { $0 }
        guard fields.count == 5, let site = fields[0].bytes, let version = fields[1].unsignedInteger, let bodyHash = fields[2].bytes,
              let issuedAt = fields[3].integer, let generation = fields[4].unsignedInteger else { return nil }
        self.init(site: site, version: version, bodyHash: bodyHash, issuedAt: issuedAt, generation: generation,
                  epoch: cbor[Label.epoch]?.unsignedInteger ?? 0, keys: cbor[Label.keys]?.array.flatMap { KeyMark($0) } ?? KeyMark())
    }
}
