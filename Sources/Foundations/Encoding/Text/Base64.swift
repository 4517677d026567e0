/// Base64 text (RFC 4648, 4 and 5), read strictly: every byte string has exactly one text.
public enum Base64 {
    /// Which alphabet, and whether `=` fills the last group.
    public enum Variant: Sendable {
        /// `+` and `/`, filled with `=` (RFC 4648, 4).
        case plain
        /// `-` and `_`, not filled (RFC 4648, 5).
        case url
    }

    private static let filler = UInt8(ascii: "=")

    /// One line of text.
    public static func encode(_ bytes: [UInt8], _ variant: Variant = .plain) -> String {
        let alphabet = variant.alphabet
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << ((3 - group.count) * 8)
            for place in 0...group.count { text.append(alphabet[bits >> (18 - 6 * place) & 63]) }
            if variant == .plain { for _ in group.count..<3 { text.append(filler) } }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads one line of text.
    /// - Throws: `Base64Error` for any other character (white space too), a wrong length or filling, and
    ///   unused bits that are not zero.
    public static func decode(_ text: String, _ variant: Variant = .plain) throws(Base64Error) -> [UInt8] {
        try decode(Array(text.utf8), variant)
    }

    /// Reads one line of text given as ASCII.
    public static func decode(
        _ text: [UInt8], _ variant: Variant = .plain
    ) throws(Base64Error) -> [UInt8] {
        let characters = try unfilled(text, variant)
        guard characters.count % 4 != 1 else { throw .wrongLength(count: text.count) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var bitCount = 0
        for (offset, character) in characters.enumerated() {
            guard let digit = variant.value(of: character) else { throw .notADigit(offset: offset) }
            bits = (bits << 6 | UInt32(digit)) & 0xFFFF
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        guard bits & (1 << UInt32(bitCount) - 1) == 0 else { throw .unusedBits }
        return bytes
    }

    private static func unfilled(
        _ text: [UInt8], _ variant: Variant
    ) throws(Base64Error) -> ArraySlice<UInt8> {
        switch variant {
        case .url:
            return text[...]
        case .plain:
            guard text.count % 4 == 0 else { throw .wrongLength(count: text.count) }
            let filling = text.suffix(2).reversed().prefix { $0 == filler }.count
            return text.dropLast(filling)
        }
    }
}

extension Base64.Variant {
    private static let common = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let plainAlphabet = common + Array("+/".utf8)
    private static let urlAlphabet = common + Array("-_".utf8)

    fileprivate var alphabet: [UInt8] {
        switch self {
        case .plain: Self.plainAlphabet
        case .url: Self.urlAlphabet
        }
    }

    /// The six bits a character stands for.
    fileprivate func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case alphabet[62]: 62
        case alphabet[63]: 63
        default: nil
        }
    }
}

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
