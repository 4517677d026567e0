import Cryptography
import Encoding
import SiteData

/// Which verified data a gate has seen last: what its hours of service since newer data are counted from.
public struct TrustMark: Hashable, Sendable {
    /// SHA-256 of whose data they are and by which way they come: counts of two of these say nothing about each other.
    let source: [UInt8]
    /// Their count.
    let version: UInt64
    /// When they were issued, as who signed says, UNIX seconds.
    let issuedAt: Int64
    /// Whose keys signed them: counts of others say nothing about theirs.
    let keys: KeyMark

    private init(source: [UInt8], version: UInt64, issuedAt: Int64, keys: KeyMark = KeyMark()) {
        self.source = source
        self.version = version
        self.issuedAt = issuedAt
        self.keys = keys
    }

    /// That of a repository: the timestamp says how fresh everything in it is.
    /// - Parameters:
    ///   - site: whose.
    ///   - timestamp: the version of the timestamp.
    ///   - issuedAt: when it was signed, UNIX seconds.
    ///   - keys: those of the timestamp.
    public init(repositoryOf site: String, timestamp: Int64, issuedAt: Int64, keys: KeyMark = KeyMark()) {
        self.init(source: Self.source(ofRepository: site), version: UInt64(clamping: timestamp), issuedAt: min(max(0, issuedAt), SitePublication.latestTime),
                  keys: keys)
    }

    static func source(ofRepository site: String) -> [UInt8] { SHA256.hash(Array("repository\0\(site)".utf8)) }

    /// Whether somebody must have signed it after `other`. The same data once more are as old as they were.
    func isNewer(than other: TrustMark) -> Bool {
        source != other.source || other.keys.isReplaced(by: keys) || version > other.version || issuedAt > other.issuedAt
    }

    var fields: [CBOR] { [.bytes(source), .unsigned(version), CBOR(issuedAt), keys.cbor] }

    /// As this program and older ones wrote it: those knew no keys.
    init?(_ fields: ArraySlice<CBOR>) {
        let fields = Array(fields)
        guard fields.count >= 3, let source = fields[0].bytes, let version = fields[1].unsignedInteger, let issuedAt = fields[2].integer
        else { return nil }
        var keys = KeyMark()
        if fields.count > 3 {
            guard let read = fields[3].array.flatMap({ KeyMark($0) }) else { return nil }
            keys = read
        }
        self.init(source: source, version: version, issuedAt: issuedAt, keys: keys)
    }
}
