import Encoding

/// The lines around a key file.
enum KeyArmour: String, CaseIterable {
    case privateKey = "TAPSTILE PRIVATE KEY"
    case publicKey = "TAPSTILE PUBLIC KEY"

    private static let lineLength = 64
    private var first: String { "-----BEGIN \(rawValue)-----" }
    private var last: String { "-----END \(rawValue)-----" }

    /// What lies between the lines, and which lines they are.
    static func open(_ text: [UInt8]) throws(KeyFileError) -> (KeyArmour, [UInt8]) {
        guard let string = String(validating: text, as: UTF8.self) else { throw .armour }
        let lines = string.split(whereSeparator: \.isNewline).map(trimmed).filter { !$0.isEmpty }
        guard lines.count >= 3, let armour = allCases.first(where: { lines[0] == $0.first }),
              lines[lines.count - 1] == armour.last else { throw .armour }
        let joined = lines[1..<(lines.count - 1)].joined()
        do throws(Base64Error) { return (armour, try Base64.decode(joined)) } catch { throw .armour }
    }

    /// The text with `content` between the lines.
    func close(_ content: [UInt8]) -> [UInt8] {
        let digits = Array(Base64.encode(content).utf8)
        var text = Array(first.utf8) + [newline]
        for start in stride(from: 0, to: digits.count, by: Self.lineLength) {
            text += digits[start..<min(start + Self.lineLength, digits.count)]
            text.append(newline)
        }
        return text + Array(last.utf8) + [newline]
    }

    private var newline: UInt8 { 0x0A }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line
        while let last = line.last, last == " " || last == "\t" { line.removeLast() }
        return line.drop { $0 == " " || $0 == "\t" }
    }
}
