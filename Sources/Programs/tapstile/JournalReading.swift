import CommandLineOptions
import ControlProtocol
import Encoding
import Evidence
import Files
import Threads

/// `tapstile journal`: shows records, oldest first, page by page; of the newest ones only so many as somebody wants.
struct JournalReading {
    /// The gate.
    let gate: GateConnection
    /// Whether each record is one JSON object.
    let json: Bool

    func run(_ command: ParsedCommand) throws -> ExitStatus {
        let bodies = command.has("bodies")
        if bodies { try command.refuse(JournalAction.choices, beside: "bodies") }
        if command.has("last") { try command.refuse(["limit"], beside: "last") }
        let last = try command.integer("last", in: 1...Self.mostOfLast), subject = command.value("subject")
        var kept: [JSON] = []
        let through = try newest(command), since = try since(command)
        var rest = try command.integer("limit", in: 1...Int.max) ?? Int.max
        var from = Int64(try command.integer("from", in: 1...Int.max) ?? 1)
        while rest > 0, from <= through {
            let page = try gate.ask(.journal(JournalQuery(
                unproven: command.has("unproven"), from: from, limit: min(Int64(rest), JournalQuery.largestPage), lane: command.value("lane"),
                reason: command.value("reason"), kind: command.value("kind"), since: since, bodies: bodies)))
            let records = page["records"]?.array ?? []
            for record in records where record["sequence"]?.integer ?? 0 <= through {
                guard subject == nil || record["subject"]?.string == subject else { continue }
                if let last {
                    kept.append(record)
                    if kept.count > 2 * last { kept.removeFirst(kept.count - last) }
                } else if !write(record, asJSON: json || bodies) {
                    return .success
                }
            }
            rest -= records.count
            guard page["more"]?.bool == true, let next = page["next"]?.integer else { break }
            from = next
        }
        for record in kept.suffix(last ?? 0) { guard write(record, asJSON: json || bodies) else { break } }
        return .success
    }

    /// What is held back in memory until the end is known.
    private static let mostOfLast = 10_000

    private func write(_ record: JSON, asJSON: Bool) -> Bool {
        asJSON ? StandardStream.output.write(record) : StandardStream.output.write(line: RecordText.line(record))
    }

    /// The newest record wanted.
    private func newest(_ command: ParsedCommand) throws -> Int64 {
        guard command.has("through") || command.has("checkpoint") else { return .max }
        guard try command.exactlyOne(of: ["through", "checkpoint"]) == "checkpoint" else {
            return Int64(try command.integer("through", in: 0...Int.max) ?? 0)
        }
        let path = try command.required("checkpoint"), bytes = try SmallFile.read(path, limit: SignedCheckpoint.longest)
        do throws(CheckpointError) { return Int64(clamping: try SignedCheckpoint(parsing: bytes).checkpoint.main.sequence) } catch {
            throw ControlError(code: error.code, message: "\(path): \(error.message)")
        }
    }

    private func since(_ command: ParsedCommand) throws -> Int64? {
        try command.value("since").map { text throws(CommandLineError) in
            guard let time = UTCText.read(text) else {
                throw .badValue(option: "since", value: text, wanted: "a UTC time such as 2026-01-31T08:00:00Z")
            }
            return time
        }
    }
}

/// One journal record as a line for people.
enum RecordText {
    /// `     17 2026-01-31T08:00:00.123Z outcome main entry granted subject=ada`; a value with blanks stands in quotation marks.
    static func line(_ record: JSON) -> String {
        let sequence = String(record["sequence"]?.integer ?? 0)
        var words = [String(repeating: " ", count: max(0, 7 - sequence.count)) + sequence]
        for key in ["time", "kind", "lane", "reader", "reason"] {
            if let word = record[key]?.string { words.append(word) }
        }
        if let subject = record["subject"]?.string { words.append("subject=\(PrintedText.word(subject))") }
        if let credential = record["credential"]?.string { words.append("credential=\(credential.prefix(16))") }
        if let what = record["detail"]?["what"]?.string { words.append(what) }
        words += details.compactMap { key in record["detail"]?[key].flatMap(word).map { "\(key)=\(PrintedText.word($0))" } }
        if let clock = record["clock"]?.string, clock != "synchronised" { words.append("clock=\(clock)") }
        if let machine = record["machine"]?.string { words.append("machine=\(machine)") }
        return words.joined(separator: " ")
    }

    /// What a line has of the details, in this order: what was asked for, passages, inputs, modes, checkpoints, and who asked.
    private static let details = [
        "assurance", "command", "input", "state", "finding", "mode", "source", "direction", "action", "output", "on", "until", "refused", "fault",
        "armed", "zone", "by", "from", "to", "outcome", "version", "main", "unproven", "through", "uncollected", "overwritten", "count", "user", "process"]

    private static func word(_ value: JSON) -> String? {
        value.string ?? value.integer.map { "\($0)" } ?? value.bool.map { $0 ? "yes" : "no" }
    }
}

/// What `tapstile journal` does besides showing records. The raw value is the word.
enum JournalAction: String, CaseIterable {
    /// Exports what the phone of a grant signed.
    case exportEvidence = "export-evidence"
    /// Walks along both chains, and holds the signed checkpoints against them.
    case verify
    /// Signs how far the chains reach now.
    case checkpoint
    /// Says that everything up to a record was collected.
    case acknowledge = "ack"
    /// The public half of the audit key.
    case auditKey = "audit-key"

    /// The action of an operand.
    /// - Throws: a sentence that names today's word where the operand is one of 0.1.
    static func read(_ operand: String) throws -> JournalAction {
        if let action = JournalAction(rawValue: operand) { return action }
        guard let action = ["prove": exportEvidence, "collected": acknowledge][operand] else { throw CommandLineError.operandNotWanted(operand) }
        throw CommandLineError.operandRenamed(operand, now: action.rawValue)
    }

    /// The options that go with it, besides those of every command.
    private var own: Set<String> {
        switch self {
        case .exportEvidence, .checkpoint, .auditKey: ["out"]
        case .verify: ["since-checkpoint", "audit-key"]
        case .acknowledge: ["through", "checkpoint"]
        }
    }

    /// Options of `journal` that make no sense with it.
    var foreign: [String] { (Self.ofReading + Self.ofActions).filter { !own.contains($0) } }

    /// Options that choose records.
    static let ofReading = choices + ["from", "limit", "last", "bodies", "through", "checkpoint"]
    /// Those that leave some out.
    static let choices = ["unproven", "since", "lane", "reason", "kind", "subject"]
    /// Options of the actions.
    static let ofActions = ["out", "since-checkpoint", "audit-key"]
}
