import CommandLineOptions
import ControlProtocol
import Encoding
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
        case "test-lane": try WalkTestCommand(gate: gate, json: json).run(command)
        case "reload": try reload()
        case "sync": try SyncCommand(gate: gate, json: json).run(command)
        case "import": try ImportCommand(gate: gate, json: json).run(command.operand(0) ?? "")
        case "lane": try LaneCommand(gate: gate, json: json).run(command)
        case "passback": try PassbackCommand(gate: gate, json: json).run(command)
        case "explain": try ExplainCommand(gate: gate, json: json).run(command)
        case "simulate": try SimulateCommand(gate: gate, json: json).run(command)
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
            return try JournalCommands(gate: gate, json: json).run(JournalAction.read(action), command)
        }
        guard !JournalAction.ofActions.contains(where: command.has) else { throw CommandLineError.operandMissing("ACTION") }
        return try JournalReading(gate: gate, json: json).run(command)
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
        switch action {
        case "confirm": try confirmClock()
        case "reset-floor": try resetClockFloor()
        default: throw CommandLineError.operandNotWanted(action)
        }
    }

    private func confirmClock() throws -> ExitStatus {
        let answer = try gate.ask(.confirmClock)
        guard !json else {
            StandardStream.output.write(answer)
            return .success
        }
        func text(_ key: String) -> String { answer[key]?.string ?? "?" }
        StandardStream.output.write(line: "The time was \(text("before")) and is \(text("time")), \(text("trust")), confirmed.")
        return .success
    }

    private func resetClockFloor() throws -> ExitStatus {
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
}

/// `tapstile simulate LINE on|off`: lets a simulated input change.
struct SimulateCommand {
    /// The gate.
    let gate: GateConnection
    /// Whether output is one JSON object.
    let json: Bool

    func run(_ command: ParsedCommand) throws -> ExitStatus {
        guard let line = command.operand(0) else { throw CommandLineError.operandMissing("LINE") }
        guard let word = command.operand(1), ["on", "off"].contains(word) else {
            throw command.operand(1).map { CommandLineError.operandNotWanted($0) } ?? .operandMissing("STATE")
        }
        let milliseconds = try command.integer("for", in: 1...60_000)
        var answer = try gate.ask(.simulate(SimulationRequest(line: line, isOn: word == "on")))
        if let milliseconds {
            usleep(UInt32(milliseconds) * 1000)
            answer = try gate.ask(.simulate(SimulationRequest(line: line, isOn: word != "on")))
        }
        if json {
            StandardStream.output.write(answer)
        } else {
            StandardStream.output.write(line: milliseconds.map { "\(line) was \(word) for \($0) ms." } ?? "\(line) is \(word).")
        }
        return .success
    }
}
