import Encoding

/// What names one issued token: SHA-256 of its Sig_structure, 32 bytes. It does not change when
/// somebody adds an unprotected header or replaces s by n − s; a token issued again has another.
public struct TokenIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Length in bytes.
    public static let length = 32
    /// How many of its bytes a phone sends to present a token by reference.
    public static let referenceLength = 8

    /// An identifier from its 32 bytes; nil for any other number.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    init(digest: [UInt8]) { bytes = digest }

    /// What a phone sends as `kid` to present the token by reference.
    public var reference: [UInt8] { Array(bytes.prefix(Self.referenceLength)) }

    /// Hexadecimal.
    public var description: String { Hex.encode(bytes) }
}
