import Encoding
import Testing

@Suite("Names in the composed form")
struct ComposedTextTests {
    static let pairs: [(String, String)] = [
        ("", ""), ("ben", "ben"), ("Jos\u{E9}", "Jos\u{E9}"), ("Jose\u{301}", "Jos\u{E9}"), ("\u{212B}", "\u{C5}"), ("A\u{30A}", "\u{C5}"),
        ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("e\u{323}\u{301}", "\u{1EB9}\u{301}"), ("\u{E9}\u{323}", "\u{1EB9}\u{301}"),
        // What is never composed again (Unicode Standard Annex #15, 5).
        ("\u{958}", "\u{915}\u{93C}"), ("\u{2126}", "\u{3A9}"), ("\u{F900}", "\u{8C48}"), ("o\u{308}\u{304}", "\u{22B}"), ("x\u{301}", "x\u{301}")
    ]

    @Test(arguments: pairs) func theSameNameHasTheSameBytes(typed: String, kept: String) {
        #expect(Array(typed.composed.utf8) == Array(kept.utf8))
        #expect(kept.isComposed)
        #expect(typed.isComposed == typed.utf8.elementsEqual(kept.utf8))
    }

    /// The standard library's own comparison is by canonical equivalence: it is the judge.
    @Test func everyCharacterStaysTheOneThatItIs() {
        var wrong: [UInt32] = []
        for value in UInt32(0x80)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for text in [String(scalar), "a\(scalar)", "e\u{301}\(scalar)", "\(scalar)\u{323}\u{301}"] {
                let composed = text.composed
                if composed != text || !composed.isComposed { wrong.append(value) }
            }
        }
        #expect(wrong.isEmpty)
    }
}
