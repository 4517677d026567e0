/// Why bytes were refused as CBOR.
public struct CBORError: Error, Hashable, Sendable {
    /// What was wrong; the raw value is the stable code.
    public enum Kind: String, Sendable, CaseIterable {
        /// The input ends before the item does, or a length goes beyond the input.
        case truncated = "cbor-truncated"
        /// Bytes follow the item.
        case trailingBytes = "cbor-trailing-bytes"
        /// An indefinite length, or the break that ends one.
        case indefiniteLength = "cbor-indefinite-length"
        /// Additional information 28 to 30 (RFC 8949, 3), or a simple value below 32 in two bytes (3.3).
        case reserved = "cbor-reserved"
        /// A head or float that has a shorter form (deterministic rules).
        case notShortest = "cbor-not-shortest"
        /// Map keys out of order (deterministic rules).
        case unsortedKeys = "cbor-unsorted-keys"
        /// The same map key twice.
        case duplicateKey = "cbor-duplicate-key"
        /// More than `CBOR.maximumDepth` levels.
        case tooDeep = "cbor-too-deep"
        /// A text string that is not UTF-8.
        case invalidText = "cbor-invalid-text"
    }

    /// What was wrong.
    public let kind: Kind
    /// The offset in bytes, from the start of the input, of the item or head at fault.
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
            case .truncated: "The CBOR input ends inside an item"
            case .trailingBytes: "Bytes follow the CBOR item"
            case .indefiniteLength: "A CBOR item has an indefinite length"
            case .reserved: "A CBOR head uses a reserved value"
            case .notShortest: "A CBOR head or float is not in its shortest form"
            case .unsortedKeys: "The keys of a CBOR map are not sorted"
            case .duplicateKey: "A CBOR map has the same key twice"
            case .tooDeep: "CBOR items are nested deeper than \(CBOR.maximumDepth) levels"
            case .invalidText: "A CBOR text string is not valid UTF-8"
            }
        return "\(what) (byte \(offset))."
    }
}
