import Configuration
import Credentials
import Spelling
import TrustSync

/// What people are to be shown (A4).
extension SiteReading {
    mutating func shownWords() -> [Word] {
        var first: [String: TableReading] = [:]
        var words: [Word] = []
        for table in tables("word") {
            guard let reason = table.text("reason"), let language = table.text("language"), let text = table.text("text") else { continue }
            checkReason(reason, in: table)
            guard Self.isLanguage(language), let word = Word(language: language, name: reason, text: text) else {
                let key = Self.isLanguage(language) ? "text" : "language"
                issues.error("bad-text", at: table.position(of: key),
                             "\(table.path).\(key): \(key == "text" ? "it has a character that is none to be shown" : "\"\(language)\" is no tag of a language").")
                continue
            }
            if let earlier = first["\(language) \(reason)"] {
                issues.error("duplicate-name", at: table.position(of: "reason"),
                             "The text for \"\(reason)\" in \"\(language)\" is already \(earlier.path) (line \(earlier.position(of: "reason").line)).")
            } else {
                first["\(language) \(reason)"] = table
                words.append(word)
            }
        }
        return words
    }

    private mutating func checkReason(_ reason: String, in table: TableReading) {
        guard Reason(rawValue: reason) == nil else { return }
        issues.error("unknown-name", at: table.position(of: "reason"), "There is no reason \"\(reason)\" for \(table.path).",
                     suggestion: NearestName.find(reason, among: Reason.allCases.map(\.rawValue)))
    }

    /// RFC 5646, 2.1, as far as its form goes.
    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.allSatisfy { (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(isLetterOrDigit) } && (parts.first?.utf8.count ?? 0) > 1
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
