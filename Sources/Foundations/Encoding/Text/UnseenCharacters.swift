/// Characters that nobody sees, or that change how others are seen: in a name they make two names look like one, in what is printed they make it
/// say something else.
///
/// The set is that of Unicode 16: general categories Cc, Cf, Zl, Zp and Co (UAX #44, table 12), noncharacters (23.7), everything that is
/// Default_Ignorable_Code_Point (DerivedCoreProperties.txt), of which all of Bidi_Control are, and three that fonts draw as nothing. It is written
/// out here, so that an office and a gate of another age agree, whatever their compilers know of Unicode. For the same reason code points that no
/// version has assigned yet are not in it.
enum UnseenCharacters {
    /// First and last of each range, in their order.
    private static let ranges: [ClosedRange<UInt32>] = [
        0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x34F...0x34F, 0x600...0x605, 0x61C...0x61C, 0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x891,
        0x8E2...0x8E2, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F,
        0x2800...0x2800, 0x3164...0x3164, 0xE000...0xF8FF, 0xFDD0...0xFDEF, 0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFC,
        0xFFFE...0xFFFF, 0x110BD...0x110BD, 0x110CD...0x110CD, 0x13430...0x1343F, 0x1BCA0...0x1BCA3, 0x1D159...0x1D159, 0x1D173...0x1D17A,
        0x1FFFE...0x1FFFF, 0x2FFFE...0x2FFFF, 0x3FFFE...0x3FFFF, 0x4FFFE...0x4FFFF, 0x5FFFE...0x5FFFF, 0x6FFFE...0x6FFFF, 0x7FFFE...0x7FFFF,
        0x8FFFE...0x8FFFF, 0x9FFFE...0x9FFFF, 0xAFFFE...0xAFFFF, 0xBFFFE...0xBFFFF, 0xCFFFE...0xCFFFF, 0xDFFFE...0xDFFFF, 0xE0000...0xE0FFF,
        0xEFFFE...0x10FFFF
    ]

    /// Whether a character is one of them. Of U+200C and U+200D the context decides (`Joiners`).
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        guard value > 0x7E else { return value < 0x20 }
        var low = 0, high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(value)
    }

    /// What a person is told of one of them.
    static func flaw(of scalar: Unicode.Scalar) -> NameFlaw.Kind {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x2029: .control
        case 0x61C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: .direction
        case 0xE000...0xF8FF, 0xFDD0...0xFDEF, 0xFFFC, 0xFFFE...0xFFFF, 0xF0000...0x10FFFF: .noCharacter
        default: .invisible
        }
    }

    /// Whether a character is an accent or the like: it stands upon the one before it and takes no room.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }
}
