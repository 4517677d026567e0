/// A name that PC/SC gave a reader: "VENDOR PRODUCT [INTERFACE] (SERIAL) XX YY", where XX counts
/// readers and YY slots in hexadecimal, and the brackets may be missing.
struct PCSCReaderName {
    private let whole: Substring

    init(_ whole: String) {
        self.whole = whole[...]
    }

    /// The name without the two numbers; the whole name where it does not end in them.
    var withoutIndex: String {
        let words = whole.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count > 2, words.suffix(2).allSatisfy(Self.isIndex) else { return String(whole) }
        return words.dropLast(2).joined(separator: " ")
    }

    /// What stands in the round brackets at the end.
    var serial: String? {
        let name = withoutIndex
        guard name.last == ")", let opening = name.lastIndex(of: "(") else { return nil }
        let serial = name[name.index(after: opening)...].dropLast()
        return serial.isEmpty ? nil : String(serial)
    }

    private static func isIndex(_ word: Substring) -> Bool {
        word.utf8.count == 2 && word.allSatisfy(\.isHexDigit)
    }
}
