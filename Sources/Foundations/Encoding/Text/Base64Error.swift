/// Why text was refused as Base64.
public enum Base64Error: Error, Hashable, Sendable {
    /// The character at this offset does not belong to the alphabet.
    case notADigit(offset: Int)
    /// No text of this length stands for whole bytes.
    case wrongLength(count: Int)
    /// The last character has bits set that belong to no byte.
    case unusedBits

    /// The stable code.
    public var code: String {
        switch self {
        case .notADigit: "base64-not-a-digit"
        case .wrongLength: "base64-wrong-length"
        case .unusedBits: "base64-unused-bits"
        }
    }

    /// One sentence for people.
    public var message: String {
        switch self {
        case .notADigit(let offset): "There is no Base64 character at position \(offset + 1)."
        case .wrongLength(let count): "\(count) Base64 characters make no whole number of bytes."
        case .unusedBits: "The last Base64 character has bits that belong to no byte."
        }
    }
}
