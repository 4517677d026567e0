import CommandLineOptions
import ControlProtocol
import Encoding
import Glibc

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
