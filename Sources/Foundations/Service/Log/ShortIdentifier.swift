/// The beginning of an identifier: enough to find a record by, too little to be the identifier (O6).
public struct ShortIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// Bytes shown of a binary identifier.
    static let bytesShown = 4

    public let description: String

    /// The first four bytes in hex and an ellipsis; of a shorter identifier at most half.
    public init(_ bytes: [UInt8]) {
        let shown = bytes.prefix(min(Self.bytesShown, bytes.count / 2))
        description = shown.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "…"
    }

    /// The first four characters and an ellipsis; of a shorter identifier at most half.
    public init(_ text: String) {
        description = text.prefix(min(4, text.count / 2)) + "…"
    }
}
