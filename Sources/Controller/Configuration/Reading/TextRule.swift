import Encoding

/// What texts must look like. Each rule answers what is wrong, as the end of a sentence, or nil.
package enum TextRule {
    package static func identifier(_ text: String, maximum: Int) -> String? {
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                 UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
            default: false
            }
        }
        if !allowed { return "may hold letters A–Z, digits, \".\", \"_\" and \"-\" only" }
        return length(text.utf8.count, maximum)
    }

    package static func text(_ text: String, maximum: Int) -> String? {
        if let flaw = NameRule.unseen(in: text) { return flaw.complaint }
        return length(text.unicodeScalars.count, maximum)
    }

    static func path(_ path: String, maximum: Int) -> String? {
        if let complaint = text(path, maximum: maximum) { return complaint }
        if path.utf8.count > maximum { return "is longer than \(maximum) bytes" }
        return path.hasPrefix("/") ? nil : "must be an absolute path, starting with \"/\""
    }

    /// What would be read in more than one way, or would carry a secret in sight of all, is none.
    static func webAddress(_ text: String, maximum: Int) -> String? {
        let schemes = ["https://", "http://"]
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let scheme = schemes.first(where: { text.hasPrefix($0) }) else {
            return "is no address that begins with https:// or http:// and has ASCII only, without spaces"
        }
        let rest = text.dropFirst(scheme.count)
        if rest.isEmpty || rest.hasPrefix("/") { return "names no host" }
        if rest.contains(where: { "@?#\\".contains($0) }) { return "may have no user, query or fragment (no \"@\", \"?\", \"#\")" }
        if text.utf8.count > maximum { return "is longer than \(maximum) characters" }
        return WebAddress(text) == nil ? "is read in more than one way (a host of letters, digits, \"-\" and \".\", no \"..\" and no \"%2F\" in the path)" : nil
    }

    static func bluetoothAddress(_ text: String) -> String? {
        isHex(text, in: [2, 2, 2, 2, 2, 2], joinedBy: ":") ? nil : "is no Bluetooth address: six pairs of 0–9, A–F joined by \":\""
    }

    static func uuid(_ text: String) -> String? {
        isHex(text, in: [8, 4, 4, 4, 12], joinedBy: "-") ? nil : "is no UUID: 8, 4, 4, 4 and 12 of 0–9, a–f joined by \"-\""
    }

    static func hex(_ text: String, bytes: [Int]) -> String? {
        if bytes.contains(where: { isHex(text, in: [$0 * 2], joinedBy: " ") }) { return nil }
        return "is no text of " + bytes.map { String($0 * 2) }.joined(separator: " or ") + " hexadecimal digits"
    }

    private static func isHex(_ text: String, in groups: [Int], joinedBy separator: Character) -> Bool {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == groups && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }

    private static func length(_ count: Int, _ maximum: Int) -> String? {
        if count == 0 { return "must not be empty" }
        return count <= maximum ? nil : "is longer than \(maximum) characters"
    }
}
