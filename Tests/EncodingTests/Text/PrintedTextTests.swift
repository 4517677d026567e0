import Testing

@testable import Encoding

/// Whatever a stranger wrote, a line stays a line and shows what is in it.
@Suite("What programs print") struct PrintedTextTests {
    @Test(arguments: [
        ("south\u{1B}[2K\u{1B}[1A", "south\\u{1b}[2K\\u{1b}[1A"), ("a\nb", "a\\u{a}b"), ("a\tb", "a\\u{9}b"), ("a\rb", "a\\u{d}b"), ("\u{9B}2K", "\\u{9b}2K"),
        ("\u{202E}x", "\\u{202e}x"), ("a\u{200B}b", "a\\u{200b}b"), ("a\u{2028}b", "a\\u{2028}b"), ("a\u{E0041}b", "a\\u{e0041}b"),
        ("o\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}", "o\u{300}\u{301}\u{302}\u{303}\\u{304}\\u{305}"),
        ("Zoë — 界 “x” \\ 'y'", "Zoë — 界 “x” \\ 'y'"), ("bien\u{A0}sûr", "bien\u{A0}sûr"), ("", "")
    ])
    func isSpelledOutInOneLine(text: String, printed: String) {
        #expect(PrintedText.line(text).unicodeScalars.elementsEqual(printed.unicodeScalars))
        #expect(PrintedText.line(PrintedText.line(text)).unicodeScalars.elementsEqual(printed.unicodeScalars), "once is enough")
    }

    @Test func ofLinesOfOurOwnTheEndsStay() {
        #expect(PrintedText.lines("a\n\tb\u{1B}[2K\nc\r\n") == "a\n\tb\\u{1b}[2K\nc\\u{d}\n")
    }

    @Test(arguments: ["a\u{9B}2K", "\u{202E}", "\u{E0041}\u{200B}", "\u{7F}", "\n\u{0}\"\\", "José", "علی\u{200C}رضا"])
    func jsonIsTheSameValueAndHasNothingUnseen(text: String) throws {
        let value: JSON = ["a": .string(text), .init(text): 1]
        let printed = PrintedText.json(value)
        #expect(PrintedText.line(printed) == printed)
        #expect(try JSON.parse(Array(printed.utf8)) == value)
    }

    @Test(arguments: [
        ("ada", "ada"), ("", "\"\""), ("ben reason=granted", "\"ben reason=granted\""), ("a=b", "\"a=b\""), ("say \"x\" \\ y", "\"say \\\"x\\\" \\\\ y\""),
        ("anna\u{A0}b", "\"anna\u{A0}b\""), ("o'Neil", "o'Neil")
    ])
    func aValueWithBlanksCannotPassForTwo(text: String, word: String) {
        #expect(PrintedText.word(text) == word)
    }
}
