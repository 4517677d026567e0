import Audit
import CommandLineOptions
import ControlProtocol
import Encoding
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
