/// The two bytes that end every response APDU (ISO/IEC 7816-4, 5.1 and 5.6).
public struct StatusWord: RawRepresentable, Hashable, Sendable {
    /// SW1 in the upper byte, SW2 in the lower.
    public let rawValue: UInt16

    /// SW1 in the upper byte, SW2 in the lower.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// 9000: done.
    public static let success = StatusWord(rawValue: 0x9000)
    /// 6700: the length is not what the command takes.
    public static let wrongLength = StatusWord(rawValue: 0x6700)
    /// 6883: the last command of the chain was expected.
    public static let lastCommandExpected = StatusWord(rawValue: 0x6883)
    /// 6884: command chaining is not known.
    public static let chainingNotSupported = StatusWord(rawValue: 0x6884)
    /// 6982: not allowed before authentication.
    public static let securityNotSatisfied = StatusWord(rawValue: 0x6982)
    /// 6985: not allowed now.
    public static let conditionsNotSatisfied = StatusWord(rawValue: 0x6985)
    /// 6A80: the data is not what the command takes.
    public static let wrongData = StatusWord(rawValue: 0x6A80)
    /// 6A82: no such file or application.
    public static let fileNotFound = StatusWord(rawValue: 0x6A82)
    /// 6A86: P1 or P2 is not what the command takes.
    public static let wrongP1P2 = StatusWord(rawValue: 0x6A86)
    /// 6D00: the instruction is not known.
    public static let insNotSupported = StatusWord(rawValue: 0x6D00)
    /// 6E00: the class is not known.
    public static let claNotSupported = StatusWord(rawValue: 0x6E00)
    /// 6F00: something else.
    public static let noDiagnosis = StatusWord(rawValue: 0x6F00)

    /// 61xx: `count` (1 to 255) more bytes wait for GET RESPONSE; 6100 when there are 256 or more.
    public static func moreAvailable(_ count: Int) -> StatusWord {
        precondition(count > 0, "61xx promises a byte at least")
        return StatusWord(rawValue: 0x6100 | (count < 256 ? UInt16(count) : 0))
    }

    /// What 61xx promises, 1 to 256 bytes; nil for any other status.
    public var availableCount: Int? {
        guard rawValue >> 8 == 0x61 else { return nil }
        return rawValue & 0xFF == 0 ? 256 : Int(rawValue & 0xFF)
    }

    /// SW1 and SW2.
    public var encoded: [UInt8] {
        [UInt8(truncatingIfNeeded: rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)]
    }
}

extension StatusWord: CustomStringConvertible {
    /// Four hexadecimal digits.
    public var description: String { Hex.encode(encoded) }
}
