import CommandLineOptions
import ControlProtocol
import Encoding
import Glibc
import Service

/// `tapstile sync`: asks the gate to fetch what is new, and waits for it where somebody wants to know.
struct SyncCommand {
    /// The gate.
    let gate: GateConnection
    /// Whether output is one JSON object a line.
    let json: Bool

    /// Microseconds between two questions how far it is.
    private static let interval: UInt32 = 200_000

    func run(_ command: ParsedCommand) throws -> ExitStatus {
        let answer = try gate.ask(.synchronise)
        guard let run = answer["run"]?.integer, run >= 1 else {
            throw ControlError(code: "request-malformed", message: "The gate's answer names no run.")
        }
        guard command.has("wait") else {
            say(answer, "The gate looks for something new: run \(run). tapstile status says what came of it.")
            return .success
        }
        return try wait(for: UInt64(run))
    }

    private func wait(for run: UInt64) throws -> ExitStatus {
        while true {
            let answer = try gate.ask(.followSync(run: run))
            guard answer["ended"]?.bool == true else {
                usleep(Self.interval)
                continue
            }
            if let failure = answer["failure"] {
                say(answer, "\(failure["code"]?.string ?? "?"): \(failure["message"]?.string ?? "") The site data in use stay.")
                return .failure
            }
            let cost = "\(answer["requests"]?.integer ?? 0) files, \(answer["bytes"]?.integer ?? 0) bytes, \(answer["milliseconds"]?.integer ?? 0) ms"
            say(answer, "\(Self.sentence(answer["way"]?.string)) (\(cost)).")
            return .success
        }
    }

    private static func sentence(_ way: String?) -> String {
        switch way {
        case nil: "There was nothing new"
        case "changes": "What has changed is in use"
        case "site": "What the site decides is new and in use"
        default: "All of the site data were fetched and are in use"
        }
    }

    private func say(_ answer: JSON, _ text: String) {
        if json { StandardStream.output.write(answer) } else { StandardStream.output.write(line: text) }
    }
}
