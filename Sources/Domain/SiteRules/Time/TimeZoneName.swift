/// The name of a time zone of the tz database, such as `Europe/Berlin`, that is safe as a path below the folder of
/// zones.
public struct TimeZoneName: Hashable, Sendable {
    /// The name.
    public let text: String

    /// The longest name in bytes; the longest of the tz database has 32.
    public static let longest = 64

    /// A name; nil unless it consists of parts of letters, digits, `+`, `-` and `_`, with a single `/` between them, each
    /// beginning with a letter: no `..`, no absolute path, no hidden file.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count) else { return nil }
        let parts = text.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        guard parts.allSatisfy(Self.isPart) else { return nil }
        self.text = text
    }

    private static func isPart(_ part: Substring.UTF8View) -> Bool {
        guard let first = part.first, isLetter(first) else { return false }
        return part.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x5F].contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
}

extension TimeZoneName: CustomStringConvertible {
    public var description: String { text }
}
