import Configuration
import Credentials
import Cryptography
import Encoding
import SiteData
import Spelling

/// What was revoked, by the site itself.
extension SiteReading {
    private static let ways = ["subject", "key", "token", "issued", "issuer"]

    mutating func revocations() -> [Revocation] {
        return tables("revocation").compactMap { table -> Revocation? in
            let given = Self.ways.filter(table.present.contains)
            guard let way = given.first, given.count == 1 else {
                issues.error("revocation-unclear", at: table.position,
                             "\(table.path) needs exactly one of \(Self.ways.joined(separator: ", ")); it has \(given.isEmpty ? "none of them" : given.joined(separator: " and ")).")
                return nil
            }
            guard let text = table.text(way) else { return nil }
            if let revocation = Self.revocation(way, text) { return revocation }
            issues.error("bad-text", at: table.position(of: way), "\(table.path).\(way): \"\(text)\" is not \(Self.form(of: way)).")
            return nil
        }
    }

    private static func revocation(_ way: String, _ text: String) -> Revocation? {
        switch way {
        case "subject": text.utf8.count <= 256 ? .subject(text) : nil
        case "issuer": text.utf8.count <= 256 ? .issuer(text) : nil
        case "key": digest(text).map { .key(thumbprint: $0) }
        case "token": digest(text).flatMap { TokenIdentifier($0) }.map { .token($0) }
        default: issued(text)
        }
    }

    private static func form(of way: String) -> String {
        switch way {
        case "subject", "issuer": "1 to 256 bytes of text"
        case "issued": "ISSUER:CTI with the number in hexadecimal"
        default: "32 bytes in hexadecimal"
        }
    }

    private static func digest(_ text: String) -> [UInt8]? {
        guard let bytes = try? Hex.decode(text), bytes.count == SHA256.length else { return nil }
        return bytes
    }

    /// The name of an issuer may have colons; a number has none.
    private static func issued(_ text: String) -> Revocation? {
        guard let colon = text.lastIndex(of: ":"), (1...256).contains(text[..<colon].utf8.count),
              let cti = try? Hex.decode(String(text[text.index(after: colon)...])), (1...64).contains(cti.count) else { return nil }
        return .issued(issuer: String(text[..<colon]), cti: cti)
    }
}

/// What people are to be shown (A4).
extension SiteReading {
    mutating func shownMessages() -> [SiteMessage] {
        var first: [String: TableReading] = [:]
        var words: [SiteMessage] = []
        for table in tables("message") {
            guard let reason = table.text("reason"), let language = table.text("language"), let text = table.text("text") else { continue }
            checkReason(reason, in: table)
            guard Self.isLanguage(language), let word = SiteMessage(language: language, name: reason, text: text) else {
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
