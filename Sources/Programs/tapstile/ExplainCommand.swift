import CommandLineOptions
import ControlProtocol
import Encoding

/// `tapstile explain`: would this person pass, by which rule and until when, or why not.
struct ExplainCommand {
    /// The gate.
    let gate: GateConnection
    /// Whether output is one JSON object.
    let json: Bool

    /// Status 1 where there was nothing to judge, or nothing in the gate names whoever was asked about.
    func run(_ command: ParsedCommand) throws -> ExitStatus {
        let (moment, siteTime) = try Self.time(command)
        let query = ExplainQuery(try Self.who(command), lane: command.value("lane"), at: moment, siteTime: siteTime, command: command.value("command"))
        let answer = try gate.ask(.explain(query))
        if json {
            StandardStream.output.write(answer)
        } else {
            for line in Self.lines(answer) { StandardStream.output.write(line: line) }
        }
        return answer["credentials"]?.array?.isEmpty == false && answer["known"]?.bool == true ? .success : .failure
    }

    private static func who(_ command: ParsedCommand) throws -> ExplainQuery.Who {
        guard try command.exactlyOne(of: ["subject", "key"]) == "key" else { return .subject(try command.required("subject")) }
        // As events and log show it.
        let text = try command.required("key"), digits = text.hasSuffix("…") ? String(text.dropLast()) : text
        guard let bytes = try? Hex.decode(digits), (ExplainQuery.fewestKeyBytes...ExplainQuery.identifierBytes).contains(bytes.count) else {
            throw CommandLineError.badValue(option: "key", value: text, wanted: "\(2 * ExplainQuery.fewestKeyBytes) to "
                + "\(2 * ExplainQuery.identifierBytes) hexadecimal digits, as `credential` in the journal and in events")
        }
        return .key(bytes)
    }

    private static func time(_ command: ParsedCommand) throws -> (moment: Int64?, siteTime: String?) {
        guard let text = command.value("at") else { return (nil, nil) }
        switch GivenTime(text) {
        case .instant(let time)? where ExplainQuery.moments.contains(time.quotientFloor(1000)): return (time.quotientFloor(1000), nil)
        case .clock?, .timeOfDay?: return (nil, text)
        case .instant?, nil:
            throw CommandLineError.badValue(option: "at", value: text, wanted: "18:03 or '2026-01-31 18:03' by the site's clock, 2026-01-31T18:03+01:00, or UTC as "
                + "2026-01-31T17:03:00Z")
        }
    }

    /// What there is to say for people, the answer first.
    private static func lines(_ answer: JSON) -> [String] {
        let notes = answer["notes"]?.array ?? []
        // Before everything that is said of a name that was perhaps mistyped.
        let first = notes.filter { Self.unknown.contains($0["code"]?.string ?? "") }, rest = notes.filter { !first.contains($0) }
        let credentials = answer["credentials"]?.array ?? []
        // What is there comes before what there may be.
        let imagined = credentials.filter { $0["kind"]?.string == "unseen-token" }, real = credentials.filter { !imagined.contains($0) }
        var lines = first.map { text($0, "message") }
        if first.isEmpty, real.isEmpty, let subject = answer["subject"]?.string { lines.append("This gate knows no key, card or token of \(subject).") }
        let ofPerson = real.isEmpty ? answer["revoked"]?.array ?? [] : []
        lines += ofPerson.map { "        \(text($0, "message"))" }
        lines += answers(real) + (answer["taps"]?.array ?? []).map(tap) + answers(imagined)
        return lines + rest.map { "\(text($0, "code")): \(text($0, "message"))" }
    }

    private static func answers(_ credentials: [JSON]) -> [String] {
        credentials.flatMap { $0["answers"]?.array ?? [] }.flatMap { one in
            [text(one, "sentence")] + (one["because"]?.array ?? []).map { "        \($0.string ?? "?")" }
        }
    }

    private static func tap(_ tap: JSON) -> String {
        "tapped at \(text(tap, "lane")) (\(text(tap, "reader"))) \(text(tap, "time")): \(text(tap, "sentence")) (\(text(tap, "reason")))"
    }

    private static let unknown: Set<String> = ["person-unknown", "key-unknown"]

    private static func text(_ json: JSON, _ key: String) -> String { json[key]?.string ?? "?" }
}
