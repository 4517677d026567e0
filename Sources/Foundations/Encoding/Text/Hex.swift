/// Hexadecimal text, two digits a byte.
public enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Lower case digits, nothing between them.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads digits of either case. Nothing else may stand before, between or after them.
    /// - Throws: `HexError` naming the offset of the first character that is no digit, or the end of the
    ///   text when a digit is missing.
    public static func decode(_ text: String) throws(HexError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var upper: UInt8?
        for (offset, character) in text.utf8.enumerated() {
            guard let digit = value(of: character) else { throw .notADigit(offset: offset) }
            if let high = upper {
                bytes.append(high << 4 | digit)
                upper = nil
            } else {
                upper = digit
            }
        }
        guard upper == nil else { throw .oddLength(count: text.utf8.count) }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

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
