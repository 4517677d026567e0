import Encoding

/// What all metadata begins with.
public struct MetadataHeader: Hashable, Sendable {
    /// From 1; counts up with every change.
    public let version: Int64
    /// The first second, UNIX time, at which the metadata counts no more.
    public let expires: Int64
    /// What the product says in addition: the members whose names begin with `x-`.
    public let additions: JSONObject

    init(_ signed: MetadataFields, of kind: MetadataKind) throws(MetadataFault) {
        let found = try signed.string("_type")
        guard ExactText(found) == ExactText(kind.rawValue) else { throw .wrongRole(found: found) }
        try Self.checkSpecification(try signed.string("spec_version"))
        version = try signed.integer("version", from: 1)
        guard let expires = UTCText.readSeconds(try signed.string("expires")) else { throw .field(signed.place("expires")) }
        self.expires = expires
        additions = JSONObject(signed.object.filter { $0.key.utf8.starts(with: "x-".utf8) }.map { ($0.key, $0.value) })
    }

    /// The member that says when the metadata was signed.
    public static let issuedMember = "x-tapstile-issued"

    /// When it was signed, as who signed says, UNIX seconds; nil where it does not say so.
    public var issued: Int64? { additions[Self.issuedMember]?.string.flatMap(UTCText.readSeconds) }

    /// Whether it counts no more at this time: it must be later than the start (TUF specification, 5.3.10).
    public func isExpired(at seconds: Int64) -> Bool { expires <= seconds }

    /// Two or three numbers, of which the first is 1. Repositories with two are in use.
    private static func checkSpecification(_ text: String) throws(MetadataFault) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ isNumber($0) }), parts[0].elementsEqual([UInt8(ascii: "1")]) else {
            throw .unsupportedSpecification(text)
        }
    }

    private static func isNumber(_ digits: Substring.UTF8View) -> Bool {
        !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

/// The four kinds of metadata; every delegated role has the kind `targets`.
public enum MetadataKind: String, Hashable, Sendable, CaseIterable {
    /// Keys and thresholds.
    case root
    /// The newest snapshot.
    case timestamp
    /// The versions of all roles.
    case snapshot
    /// Files, and delegations.
    case targets
}

/// The signed part of a file of one kind.
protocol MetadataBody: Sendable {
    /// Takes the signed part apart.
    init(_ metadata: SignedMetadata) throws(MetadataFault)
    /// Version and expiry.
    var header: MetadataHeader { get }
}

extension RootMetadata: MetadataBody {}
extension TimestampMetadata: MetadataBody {}
extension SnapshotMetadata: MetadataBody {}
extension TargetsMetadata: MetadataBody {}

/// Says which snapshot is the newest.
public struct TimestampMetadata: Hashable, Sendable {
    /// Version and expiry.
    public let header: MetadataHeader
    /// The snapshot.
    public let snapshot: MetaFile

    /// Takes the signed part of a file apart; whether enough keys have signed it is another question.
    public init(_ metadata: SignedMetadata) throws(MetadataFault) {
        header = try MetadataHeader(metadata.signed, of: .timestamp)
        snapshot = try MetaFile(try metadata.signed.fields("meta").fields(RoleName.snapshot.metaName.text))
    }
}
