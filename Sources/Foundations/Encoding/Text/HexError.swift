/// Why text was refused as hexadecimal.
public enum HexError: Error, Hashable, Sendable {
    /// The character at this offset (in UTF-8 bytes) is no hexadecimal digit.
    case notADigit(offset: Int)
    /// A number of digits that makes no whole bytes.
    case oddLength(count: Int)

    /// The stable code.
    public var code: String {
        switch self {
        case .notADigit: "hex-not-a-digit"
        case .oddLength: "hex-odd-length"
        }
    }

    /// One sentence for people.
    public var message: String {
        switch self {
        case .notADigit(let offset): "There is no hexadecimal digit at position \(offset + 1)."
        case .oddLength(let count): "\(count) hexadecimal digits make no whole number of bytes."
        }
    }
}
