/// The tag of an element of DER (ITU-T X.690, 8.1.2): its bytes read as one number, `0x30` for a sequence, `0xBF8540` for [704].
public struct DERTag: RawRepresentable, Hashable, Sendable {
    /// The bytes, at most three, the first one highest.
    public let rawValue: UInt32

    /// A tag from its bytes read as a number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let boolean = DERTag(rawValue: 0x01)
    public static let integer = DERTag(rawValue: 0x02)
    public static let bitString = DERTag(rawValue: 0x03)
    public static let octetString = DERTag(rawValue: 0x04)
    public static let null = DERTag(rawValue: 0x05)
    public static let objectIdentifier = DERTag(rawValue: 0x06)
    public static let enumerated = DERTag(rawValue: 0x0A)
    public static let utcTime = DERTag(rawValue: 0x17)
    public static let generalizedTime = DERTag(rawValue: 0x18)
    public static let sequence = DERTag(rawValue: 0x30)
    public static let set = DERTag(rawValue: 0x31)

    /// The tag `[number]` around other elements, from 0 to 16383.
    public static func context(_ number: Int) -> DERTag {
        let number = UInt32(number)
        if number < 0x1F { return DERTag(rawValue: 0xA0 | number) }
        if number < 0x80 { return DERTag(rawValue: 0xBF << 8 | number) }
        return DERTag(rawValue: 0xBF << 16 | (0x80 | number >> 7) << 8 | number & 0x7F)
    }

    /// The number of a tag `[number]` around other elements; nil for any other tag.
    public var contextNumber: Int? {
        switch rawValue {
        case 0xA0..<0xBF: Int(rawValue & 0x1F)
        case 0xBF00...0xBFFF: Int(rawValue & 0x7F)
        case 0xBF0000...0xBFFFFF: Int((rawValue >> 8 & 0x7F) << 7 | rawValue & 0x7F)
        default: nil
        }
    }
}
