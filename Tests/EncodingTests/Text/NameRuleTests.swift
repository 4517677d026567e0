import Testing

@testable import Encoding

/// What a name may be made of.
@Suite("A name shows all of itself") struct NameRuleTests {
    @Test(arguments: [
        "anna", "Anna Berg", "o'Neil", "anna@example.org", "José", "Jose\u{301}", "Zoë", "Straße 7", "Łukasz", "Nguyễn Thị Ánh", "Мария", "Ελένη", "王小明", "田中太郎",
        "김민수", "דוד בן־גוריון", "محمد", "علی\u{200C}رضا", "می\u{200C}خواهم", "ක්\u{200D}රිෂ්ණ", "क्\u{200D}ष", "தமிழ்", "สมชาย", "👍", "tapstile:north/main/in", "ISSUER:0a", "a-b_c.d", "!?", "€"
    ])
    func ofAPersonInAnyScriptIsOne(name: String) {
        #expect(NameRule.flaw(in: name) == nil)
        #expect(PrintedText.line(name) == name)
    }

    static let flawed: [(String, NameFlaw.Kind, Int)] = [
        ("south\u{1B}[2K\u{1B}[1A", .control, 6), ("anna\nben", .control, 5), ("a\u{0}", .control, 2), ("a\tb", .control, 2), ("\u{7F}", .control, 1),
        ("a\u{9B}2K", .control, 2), ("a\u{2028}b", .control, 2), ("a\u{85}b", .control, 2),
        ("a\u{202E}b", .direction, 2), ("a\u{2066}b", .direction, 2), ("a\u{200F}", .direction, 2), ("a\u{61C}", .direction, 2),
        ("an\u{200B}na", .invisible, 3), ("an\u{AD}na", .invisible, 3), ("\u{FEFF}anna", .invisible, 1), ("an\u{2060}na", .invisible, 3),
        ("a\u{3164}", .invisible, 2), ("a\u{2800}b", .invisible, 2), ("a\u{FE0F}", .invisible, 2), ("a\u{E0041}", .invisible, 2), ("a\u{34F}b", .invisible, 2),
        ("a\u{E000}", .noCharacter, 2), ("a\u{FFFE}", .noCharacter, 2), ("a\u{10FFFD}", .noCharacter, 2),
        ("Jos\u{FFFD}", .unreadable, 4),
        (" anna", .looseBlank, 1), ("anna ", .looseBlank, 5), ("anna  berg", .looseBlank, 6), (" ", .looseBlank, 1),
        ("anna\u{A0}berg", .otherBlank, 5), ("anna\u{3000}berg", .otherBlank, 5), ("anna\u{200A}", .otherBlank, 5),
        ("\u{301}anna", .looseMark, 1), ("a \u{301}", .looseMark, 3), ("a\u{300}\u{301}\u{302}\u{303}\u{304}", .oneMarkTooMany, 6)
    ]

    @Test(arguments: flawed)
    func withWhatNobodySeesIsNone(name: String, kind: NameFlaw.Kind, place: Int) {
        let flaw = NameRule.flaw(in: name)
        #expect(flaw?.kind == kind && flaw?.place == place)
        #expect(flaw?.complaint.contains(" as character \(place): ") == true)
        #expect(PrintedText.line(flaw?.complaint ?? "\u{1B}") == flaw?.complaint, "what is said of it can be printed")
    }

    /// A joiner that changes nothing would make two names of one.
    @Test(arguments: ["an\u{200C}na", "an\u{200D}na", "\u{200C}علی", "علی\u{200C}", "امیر\u{200C}حسین", "علی\u{200D}رضا", "👩\u{200D}👧", "क\u{200D}ष", "ع\u{200C}\u{200C}ر"])
    func aJoinerThatIsNotSeenIsRefused(name: String) {
        #expect(NameRule.flaw(in: name)?.kind == .invisible)
        #expect(PrintedText.line(name).contains("\\u{200"))
    }

    @Test func theEmptyTextHasNoFlaw() { #expect(NameRule.flaw(in: "") == nil) }

    /// The table is written out; what the compiler knows of Unicode may be older or newer, but not say anything else of what both know.
    @Test func theTableIsThatOfUnicode() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let known = scalar.properties
            let isUnseen = switch known.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: true
            default: known.isDefaultIgnorableCodePoint || known.isNoncharacterCodePoint || [0x2800, 0xFFFC, 0x1D159].contains(value)
            }
            // Reserved ones are in the table where they are ignorable already.
            guard UnseenCharacters.contains(scalar) != isUnseen else { continue }
            Issue.record("U+\(String(value, radix: 16)) is \(isUnseen ? "not " : "")in the table")
        }
        for value in [0x61C, 0x200E, 0x200F, 0x202A, 0x202E, 0x2066, 0x2069] as [UInt32] {
            #expect(Unicode.Scalar(value).map { UnseenCharacters.flaw(of: $0) } == .direction)
        }
    }
}
