import Cryptography
import Encoding
import TrustSync

/// Which verified data a gate has seen last: what its hours of service since newer data are counted from.
public struct TrustMark: Hashable, Sendable {
    /// SHA-256 of whose data they are and by which way they come: counts of two of these say nothing about each other.
    let source: [UInt8]
    /// Their count.
    let version: UInt64
    /// When they were issued, UNIX seconds.
    let issuedAt: Int64

    private init(source: [UInt8], version: UInt64, issuedAt: Int64) {
        self.source = source
        self.version = version
        self.issuedAt = issuedAt
    }

    /// That of an imported publication; nil for data that came by another way: a site's own file does not age.
    public init?(_ publication: TrustPublication) {
        guard publication.origin == .publication else { return nil }
        self.init(source: SHA256.hash(Array("publication\0\(publication.site)".utf8)), version: publication.version, issuedAt: publication.issuedAt)
    }

    /// That of a repository: the timestamp says how fresh everything in it is.
    /// - Parameters:
    ///   - site: whose.
    ///   - timestamp: the version of the timestamp.
    ///   - issuedAt: when it was signed, UNIX seconds.
    public init(repositoryOf site: String, timestamp: Int64, issuedAt: Int64) {
        self.init(source: Self.source(ofRepository: site), version: UInt64(clamping: timestamp), issuedAt: min(max(0, issuedAt), SitePublication.latestTime))
    }

    static func source(ofRepository site: String) -> [UInt8] { SHA256.hash(Array("repository\0\(site)".utf8)) }

    /// Whether somebody must have signed it after `other`. The same data once more are as old as they were.
    func isNewer(than other: TrustMark) -> Bool {
        source != other.source || version > other.version || issuedAt > other.issuedAt
    }

    var fields: [CBOR] { [.bytes(source), .unsigned(version), CBOR(issuedAt)] }

    init?(_ fields: ArraySlice<CBOR>) {
        let fields = Array(fields)
        guard fields.count == 3, let source = fields[0].bytes, let version = fields[1].unsignedInteger, let issuedAt = fields[2].integer
        else { return nil }
        self.init(source: source, version: version, issuedAt: issuedAt)
    }
}
