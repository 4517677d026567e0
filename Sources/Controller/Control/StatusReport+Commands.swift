import Configuration
import Credentials
import Encoding
import Gate

/// What phones may order of a lane, and what they have ordered of its outputs.
extension StatusReport {
    /// The commands of a lane, in the order of its list.
    func commands(of settings: LaneSettings) -> [JSON] {
        let clock = ClockReading(parts.clock.now())
        let isWanted = SecondFactorRule(settings).isWanted { parts.schedules.isInForce($0, clock, .restricts) }
        return LaneCommand.list(settings).map { command in
            var fields: JSONObject = ["name": .string(command.name), "action": .string(command.action.word),
                                      "secondFactor": .bool(isWanted || command.wantsSecondFactor)]
            if case .output(let output, _, for: _) = command.action { fields["output"] = .string(output) }
            fields["minutes"] = command.action.length.map { .integer($0 / 60_000) }
            if let schedule = command.schedule {
                fields["schedule"] = .string(schedule)
                fields["inForce"] = .bool(parts.schedules.isInForce(schedule, clock, .grants) ?? false)
            }
            return .object(fields)
        }
    }

    /// How an output is, and until when a phone has it so.
    func output(of lane: String, _ settings: LineOutputSettings) -> JSON {
        let line = settings.line(ofLane: lane)
        var fields: JSONObject = ["name": .string(settings.name), "on": .bool(parts.state.switchedOn.withLock { $0.contains(line) })]
        if let until = layout.outputs[lane]?.until(settings) {
            fields["by"] = "phone"
            fields["until"] = .string(UTCText.make(milliseconds: until))
        }
        if let fault = parts.bank.faults[line] {
            fields["code"] = .string(fault.code)
            fields["message"] = .string(fault.message)
        }
        return .object(fields)
    }
}
