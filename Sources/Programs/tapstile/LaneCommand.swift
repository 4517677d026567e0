import CommandLineOptions
import ControlProtocol
import Encoding
import Vocabulary

/// `tapstile lane LANE [ACTION [WHAT]]`: shows a lane, or does something with it.
struct LaneCommand {
    /// The gate.
    let gate: GateConnection
    /// Whether output is one JSON object.
    let json: Bool

    func run(_ command: ParsedCommand) throws -> ExitStatus {
        guard let lane = command.operand(0) else { throw CommandLineError.operandMissing("LANE") }
        guard let word = command.operand(1) else {
            try command.refuse(["for"], beside: "lane \(lane)")
            report(try gate.ask(.lane(lane)))
            return .success
        }
        let answer = try gate.ask(.actOnLane(LaneRequest(lane: lane, action: try Self.action(word, command))))
        report(answer)
        guard answer["journalled"]?.bool == false else { return .success }
        StandardStream.error.report("tapstile", code: "not-journalled", message: Self.unrecorded, json: json)
        return .warning
    }

    private static let unrecorded = "It was done, and the disk has not taken the record of it: a restart before that forgets it, and who asked. "
        + "`tapstile status` says what is wrong with the journal."

    private static func action(_ word: String, _ command: ParsedCommand) throws -> LaneRequest.Action {
        let what = command.operand(2)
        let milliseconds = try command.seconds("for").map { $0 * 1000 }
        if let mode = LaneRequest.Mode(rawValue: word) {
            guard milliseconds == nil || mode.mayEnd else { throw CommandLineError.optionsExclude(word, "for") }
            guard milliseconds.map({ $0 <= LaneRequest.longestMilliseconds }) ?? true else {
                throw CommandLineError.badValue(option: "for", value: command.value("for") ?? "", wanted: "a time of at most a year")
            }
            return .mode(mode, direction: try direction(mode == .holdOpen ? what : nil, instead: what), milliseconds: milliseconds)
        }
        try command.refuse(["for"], beside: word)
        switch word {
        case "release": return .release(try direction(what, instead: what))
        case "toggle":
            guard let what else { throw CommandLineError.operandMissing("OUTPUT") }
            return .toggle(output: what)
        case "arm", "disarm":
            if let what { throw CommandLineError.operandNotWanted(what) }
            return word == "arm" ? .arm : .disarm
        default: throw CommandLineError.unknownCommand(word, known: LaneRequest.words)
        }
    }

    /// The way that was named, where the action has one.
    private static func direction(_ named: String?, instead what: String?) throws -> Direction? {
        guard let named else {
            if let what { throw CommandLineError.operandNotWanted(what) }
            return nil
        }
        guard let direction = Direction(rawValue: named) else { throw CommandLineError.operandNotWanted(named) }
        return direction
    }

    private func report(_ lane: JSON) {
        guard !json else {
            StandardStream.output.write(lane)
            return
        }
        for line in LaneText.lines(lane) { StandardStream.output.write(line: line) }
    }
}
