/// A file of groups, keys and values as GLib and with it bluetoothd read them ("Desktop Entry Specification", basic format).
/// The last of several values counts.
struct SettingsFile: Hashable, Sendable {
    private var values: [String: [String: String]] = [:]

    /// A file without keys.
    init() {}

    /// Nil where bluetoothd would not read the file either, and go on without settings.
    init?(_ text: String) {
        var group: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.isEmpty || line.first == "#" { continue }
            if let name = Self.groupName(line) {
                group = name
            } else {
                guard let group, let equals = line.firstIndex(of: "="), equals > line.startIndex else { return nil }
                let key = String(Self.trimmed(line[..<equals]))
                values[group, default: [:]][key] = String(Self.trimmed(line[line.index(after: equals)...]))
            }
        }
    }

    /// The value of a key; nil where there is none.
    subscript(group: String, key: String) -> String? { values[group]?[key] }

    private static func groupName(_ line: Substring) -> String? {
        guard line.first == "[", line.last == "]", line.count > 2 else { return nil }
        return String(line.dropFirst().dropLast())
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
