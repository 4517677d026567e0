import CommandLineOptions
import Encoding

/// What a command did: for programs and for people.
struct Report {
    let json: JSON
    let lines: [String]

    /// A report of facts: an object for programs, a headline and the same facts as lines for people.
    init(_ headline: String, _ facts: [(String, JSON)]) {
        json = .object(JSONObject(facts))
        let rows = facts.filter { !$0.1.isNull }.map { name, value in "  \(name): \(Self.plain(value))" }
        lines = [headline] + rows
    }

    /// The same, and facts that have lines of their own for people.
    init(_ headline: String, _ facts: [(String, JSON)], and more: [(name: String, json: JSON, lines: [String])]) {
        let report = Report(headline, facts)
        json = .object(JSONObject(facts + more.map { ($0.name, $0.json) }))
        lines = report.lines + more.flatMap(\.lines).map { "  \($0)" }
    }

    /// The same, and for people a last line that says what comes next.
    func then(_ line: String) -> Report { Report(json: json, lines: lines + [line]) }

    private init(json: JSON, lines: [String]) {
        self.json = json
        self.lines = lines
    }

    /// The facts for programs, and for people these lines in their place.
    init(_ headline: String, _ facts: [(String, JSON)], lines: [String]) {
        json = .object(JSONObject(facts))
        self.lines = [headline] + lines.map { "  \($0)" }
    }

    /// Says it, to programs or to people.
    func write(asJSON isForPrograms: Bool) {
        if isForPrograms { StandardStream.output.write(json) } else { for line in lines { StandardStream.output.write(line: line) } }
    }

    /// A value without quotation marks.
    private static func plain(_ value: JSON) -> String {
        if let text = value.string { return text }
        if let items = value.array { return items.map(plain).joined(separator: ", ") }
        return value.text
    }
}
