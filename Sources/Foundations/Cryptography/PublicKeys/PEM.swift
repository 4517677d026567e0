import Encoding

/// Public keys as text (RFC 7468, 13), as others write them. Our own key files have their own armour.
public enum PEM {
    private static let first = "-----BEGIN PUBLIC KEY-----"
    private static let last = "-----END PUBLIC KEY-----"
    /// An RSA key of 4096 bits has about 800 characters.
    private static let longest = 4096

    /// The SubjectPublicKeyInfo (RFC 5280, 4.1) in the one block that a text consists of; nil for anything
    /// else. Lines may end with or without a carriage return, and the last one may have no end.
    public static func publicKey(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= longest else { return nil }
        var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map(line)
        if lines.last == "" { lines.removeLast() }
        guard lines.count >= 3, lines.first == first, lines.last == last else { return nil }
        return try? Base64.decode(lines.dropFirst().dropLast().joined())
    }

    /// A SubjectPublicKeyInfo as text, with 64 characters a line.
    public static func text(publicKey bytes: [UInt8]) -> [UInt8] {
        let digits = Array(Base64.encode(bytes).utf8)
        let lines = stride(from: 0, to: digits.count, by: lineLength).map { String(decoding: digits[$0..<min($0 + lineLength, digits.count)], as: UTF8.self) }
        return Array(([first] + lines + [last, ""]).joined(separator: "\n").utf8)
    }

    private static let lineLength = 64

    private static func line(_ bytes: Substring.UTF8View) -> String {
        String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)
    }
}
