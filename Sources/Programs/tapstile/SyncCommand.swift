import CommandLineOptions
import ControlProtocol
import Encoding
import Service

/// `tapstile sync`: asks the gate to fetch what is new, and waits for it where somebody wants to know.
struct SyncCommand {
    /// The gate.
    let gate: GateConnection
    /// Whether output is one JSON object a line.
    let json: Bool

    func run(_ command: ParsedCommand) throws -> ExitStatus {
        let answer = try gate.ask(.synchronise)
        guard let run = answer["run"]?.integer, run >= 1 else {
            throw ControlError(code: "request-malformed", message: "The gate's answer names no run.")
        }
        guard command.has("wait") else {
            write(answer, "The gate looks for something new: run \(run). tapstile status says what came of it.")
            return .success
        }
        return try wait(for: UInt64(run))
    }

    private func wait(for run: UInt64) throws -> ExitStatus {
        let end = try EndOfRun(.followSync(run: run), at: gate)
        if let failure = end.failure {
            write(end.answer, "\(failure.code ?? "?"): \(failure.message)")
            return .failure
        }
        write(end.answer, "\(Self.sentence(end.answer["way"]?.string)) (\(end.cost)).")
        return .success
    }

    private static func sentence(_ way: String?) -> String {
        switch way {
        case nil: "There was nothing new"
        case "changes": "What has changed is in use"
        case "site": "What the site decides is new and in use"
        default: "All of the site data were fetched and are in use"
        }
    }

    private func write(_ answer: JSON, _ text: String) {
        if json { StandardStream.output.write(answer) } else { StandardStream.output.write(line: text) }
    }
}
