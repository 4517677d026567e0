/// Why bytes were refused as BER-TLV data objects.
public struct BERTLVError: Error, Hashable, Sendable {
    /// What was wrong; the raw value is the stable code.
    public enum Kind: String, Sendable, CaseIterable {
        /// The input ends inside a data object.
        case truncated = "tlv-truncated"
        /// Bytes follow the only data object.
        case trailingBytes = "tlv-trailing-bytes"
        /// A tag field that is padding, too long, or longer than need be.
        case invalidTag = "tlv-invalid-tag"
        /// An indefinite length, or one of more than four bytes.
        case invalidLength = "tlv-invalid-length"
        /// The parts of a primitive data object were asked for.
        case notConstructed = "tlv-not-constructed"
    }

    /// What was wrong.
    public let kind: Kind
    /// The offset in bytes from the start of the input.
    public let offset: Int

    /// An error found at `offset`.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// The stable code.
    public var code: String { kind.rawValue }

    /// One sentence for people.
    public var message: String {
        let what =
            switch kind {
            case .truncated: "The input ends inside a data object"
            case .trailingBytes: "Bytes follow the data object"
            case .invalidTag: "A tag field is not valid"
            case .invalidLength: "A length field is not valid"
            case .notConstructed: "The data object is primitive"
            }
        return "\(what) (byte \(offset))."
    }
}
