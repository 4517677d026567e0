import Encoding

/// The last field of OUTCOME, kept for actions and relayed data. It has a version of its own, so that it
/// can grow while the outcome around it stays readable. This version of the protocol knows no kind.
public struct OutcomeAddition: Hashable, Sendable {
    /// What the bytes are; a phone passes over kinds that it does not know.
    public let kind: UInt64
    public let bytes: [UInt8]

    /// Version of the field.
    static let version: UInt64 = 1
    /// Most bytes in it: the outcome stays within what a phone collects of one command.
    public static let maximumLength = 512

    public init(kind: UInt64, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    /// `[version, kind, bytes]`.
    var item: CBOR { .array([.unsigned(Self.version), .unsigned(kind), .bytes(bytes)]) }

    /// nil for anything but an addition of this version: what a later one has in this place is not for us.
    init?(_ item: CBOR) {
        guard let fields = item.array, fields.count == 3, fields[0].unsignedInteger == Self.version,
              let kind = fields[1].unsignedInteger, let bytes = fields[2].bytes, bytes.count <= Self.maximumLength
        else { return nil }
        self.init(kind: kind, bytes: bytes)
    }
}
