import CommandLineOptions
import ControlProtocol
import Encoding

/// `tapstile passback [show|reset]`: who is inside, and forgetting it.
struct PassbackCommand {
    /// The gate.
    let gate: GateConnection
    /// Whether output is one JSON object.
    let json: Bool

    func run(_ command: ParsedCommand) throws -> ExitStatus {
        let query = PassbackQuery(zone: command.value("zone"), subject: command.value("subject"))
        switch command.operand(0) ?? "show" {
        case "show":
            try command.refuse(["all"], beside: "show")
            show(try gate.ask(.passback(query)))
        case "reset":
            try reset(query, command)
        case let other:
            throw CommandLineError.operandNotWanted(other)
        }
        return .success
    }

    /// Everybody is forgotten only where that was said.
    private func reset(_ query: PassbackQuery, _ command: ParsedCommand) throws {
        if command.has("all") {
            try command.refuse(["zone", "subject"], beside: "all")
        } else if query == PassbackQuery() {
            throw CommandLineError.oneOptionNeeded(["zone", "subject", "all"])
        }
        let answer = try gate.ask(.resetPassback(query))
        guard !json else {
            StandardStream.output.write(answer)
            return
        }
        StandardStream.output.write(line: "\(answer["forgotten"]?.integer ?? 0) people count as gone.")
    }

    private func show(_ answer: JSON) {
        guard !json else {
            StandardStream.output.write(answer)
            return
        }
        for zone in answer["zones"]?.array ?? [] { StandardStream.output.write(line: Self.zone(zone)) }
        for person in answer["people"]?.array ?? [] { StandardStream.output.write(line: Self.person(person)) }
        if answer["more"]?.bool == true { StandardStream.output.write(line: "and more: ask for one zone or one person") }
    }

    private static func zone(_ zone: JSON) -> String {
        let capacity = zone["capacity"]?.integer.map { " of \($0)" } ?? ""
        let doubtful = zone["doubtful"]?.integer ?? 0
        return "zone    \(zone["zone"]?.string ?? "?"): anti-passback \(zone["mode"]?.string ?? "?"), \(zone["present"]?.integer ?? 0)\(capacity) inside"
            + (doubtful > 0 ? ", \(doubtful) may have left unseen" : "")
    }

    private static func person(_ person: JSON) -> String {
        "        \(person["person"]?.string ?? "?") in \(person["zone"]?.string ?? "?") since \(person["since"]?.string ?? "?")"
            + (person["sure"]?.bool == false ? ", may have left unseen" : "")
    }
}
