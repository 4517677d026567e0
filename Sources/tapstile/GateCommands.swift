import CommandLineOptions
import ControlProtocol
import Encoding
import Files
import Glibc
import Service

/// The commands that talk to the running gate.
struct GateCommands {
    /// The gate.
    let gate: GateConnection
    /// Whether output is one JSON object a line.
    let json: Bool

    /// Runs one of them.
    func run(_ command: ParsedCommand) throws -> ExitStatus {
        switch command.name {
        case "status": try status()
        case "events": try events()
        case "journal": try journal(command)
        case "verify": try verify()
        case "reload": try reload()
        case "import": try importPublication(command.operand(0) ?? "")
        case "clock": try clock(command.operand(0) ?? "")
        default: throw CommandLineError.unknownCommand(command.name, known: [])
        }
    }

    private func status() throws -> ExitStatus {
        let status = try gate.ask(.status)
        if json {
            StandardStream.output.write(status)
        } else {
            for line in StatusText.lines(status) { StandardStream.output.write(line: line) }
        }
        return .success
    }

    private func events() throws -> ExitStatus {
        _ = try gate.ask(.events)
        // Programs learn from when on they hear everything: what they do now, they will hear of.
        if json {
            StandardStream.output.write(["event": "subscribed", "v": .integer(ControlVersion.current)])
        }
        while let event = try gate.nextEvent() {
            let written = json
                ? StandardStream.output.write(event)
                : StandardStream.output.write(line: EventText.line(event))
            guard written else { return .success }
        }
        throw ControlError(code: "gate-gone", message: "The gate has stopped.")
    }

    private func journal(_ command: ParsedCommand) throws -> ExitStatus {
        if let action = command.operand(0) {
            guard action == "prove" else { throw CommandLineError.operandNotWanted(action) }
            return try EvidenceCommand(gate: gate, json: json).run(command)
        }
        guard !command.has("out") else { throw CommandLineError.operandMissing("prove SEQUENCE") }
        var rest = try command.integer("limit", in: 1...Int.max) ?? Int.max
        var from = Int64(try command.integer("from", in: 1...Int.max) ?? 1)
        let since = try command.value("since").map { text throws(CommandLineError) in
            guard let time = UTCText.read(text) else {
                throw .badValue(option: "since", value: text, wanted: "a UTC time such as 2026-01-31T08:00:00Z")
            }
            return time
        }
        while rest > 0 {
            let page = try gate.ask(.journal(JournalQuery(
                unproven: command.has("unproven"), from: from, limit: min(Int64(rest), JournalQuery.largestPage), lane: command.value("lane"),
                reason: command.value("reason"), since: since)))
            let records = page["records"]?.array ?? []
            for record in records {
                let written = json
                    ? StandardStream.output.write(record)
                    : StandardStream.output.write(line: RecordText.line(record))
                guard written else { return .success }
            }
            rest -= records.count
            guard page["more"]?.bool == true, let next = page["next"]?.integer else { break }
            from = next
        }
        return .success
    }

    private func verify() throws -> ExitStatus {
        let main = try walk(unproven: false), unproven = try walk(unproven: true)
        guard !json else {
            StandardStream.output.write(["main": main, "unproven": unproven])
            return .success
        }
        for (title, chain) in [("The main chain", main), ("The chain of what nobody proved", unproven)] {
            StandardStream.output.write(line: "\(title) is whole: records \(chain["first"]?.integer ?? 0) to "
                + "\(chain["sequence"]?.integer ?? 0), head \(chain["head"]?.string ?? "?").")
        }
        return .success
    }

    /// Walks along a chain, one stretch after the other, so that the gate can hear others in between.
    private func walk(unproven: Bool) throws -> JSON {
        var first: JSON?
        var after: JournalStretch.Position?
        while true {
            let stretch = try gate.ask(.verifyJournal(JournalStretch(unproven: unproven, after: after)))
            first = first ?? stretch["first"]
            guard let sequence = stretch["sequence"]?.integer, let head = stretch["head"]?.string, let hash = try? Hex.decode(head) else {
                throw ControlError(code: "request-malformed", message: "The gate's answer does not say how far the chain is whole.")
            }
            guard stretch["more"]?.bool == true else {
                return ["first": first ?? .null, "sequence": .integer(sequence), "head": .string(head)]
            }
            after = JournalStretch.Position(sequence: sequence, hash: hash)
        }
    }

    private func reload() throws -> ExitStatus {
        let answer = try gate.ask(.reload)
        guard !json else {
            StandardStream.output.write(answer)
            return .success
        }
        for warning in answer["warnings"]?.array ?? [] { StandardStream.error.write(line: warning.string ?? "") }
        StandardStream.output.write(line: "The configuration was read again and is in force.")
        return .success
    }

    private func clock(_ action: String) throws -> ExitStatus {
        guard action == "reset-floor" else { throw CommandLineError.operandNotWanted(action) }
        let answer = try gate.ask(.resetClockFloor)
        guard !json else {
            StandardStream.output.write(answer)
            return .success
        }
        func text(_ key: String) -> String { answer[key]?.string ?? "?" }
        StandardStream.output.write(line: "The floor of the clock was \(text("before")) and is \(text("floor")). "
            + "The time is \(text("time")), \(text("trust")).")
        if let name = answer["setAside"]?.string {
            StandardStream.output.write(line: "The site data were issued ahead of it and are kept as \(name): import a fresh publication.")
        }
        return .success
    }

    private func importPublication(_ path: String) throws -> ExitStatus {
        let file = try FileDescriptor(path: path, flags: O_RDONLY)
        let answer = try withExtendedLifetime(file) { try gate.ask(.importPublication, file: file.raw) }
        if json {
            StandardStream.output.write(answer)
        } else {
            StandardStream.output.write(line: "Publication \(answer["version"]?.integer ?? 0) of \(answer["issued"]?.string ?? "?") is in force: "
                + "\(answer["records"]?.integer ?? 0) records.")
        }
        return .success
    }
}
