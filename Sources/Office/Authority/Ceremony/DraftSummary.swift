extension JudgedDraft {
    /// What a person reads last before he answers, where there was more than a screen shows: how much was marked and what of, and once more all that decides
    /// who can sign and who makes tokens. Lines that have scrolled away are hidden lines.
    public var summary: [String] {
        let lines = self.lines, marked = lines.filter { $0.first != " " && Self.marks.contains($0.first ?? " ") }
        let counts = Dictionary(marked.map { (Self.kind(of: $0), 1) }, uniquingKeysWith: +).sorted { ($0.key, $0.value) < ($1.key, $1.value) }
        let told = marked.isEmpty ? "none of them is marked" : "\(marked.count) marked: " + counts.map { "\($1) × \($0)" }.joined(separator: ", ")
        return ["These were \(lines.count) lines; \(told). Once more:"] + lines.filter(Self.isRepeated)
    }

    private static let marks: Set<Character> = ["+", "-", "!"]
    private static let repeated = ["key of ", "token issuer ", "gate issuer ", "people may be given "]

    private static func isRepeated(_ line: String) -> Bool {
        let text = line.dropFirst(2)
        return line.hasPrefix("!") || repeated.contains { text.hasPrefix($0) } || RepositoryRole.allCases.contains { text.hasPrefix("\($0.rawValue) needs ") }
    }

    /// What a line is of: its words before a name, a key or a number.
    private static func kind(of line: String) -> String {
        guard !line.hasPrefix("!") else { return "warning" }
        let words = line.dropFirst(2).prefix { $0 != "'" && $0 != ":" }.split(separator: " ").prefix { !$0.contains(where: \.isNumber) }
        return words.prefix(4).joined(separator: " ")
    }
}
