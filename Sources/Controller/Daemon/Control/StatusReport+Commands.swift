import Configuration
import Credentials
import Encoding
import Gate
import Lanes
import SiteRules

/// What phones may order of a lane, and what they have ordered of its outputs.
extension StatusReport {
    /// The commands of a lane, in the order of its list.
    func commands(of settings: LaneSettings) -> [JSON] {
        let clock = parts.clock.now().reading
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

/// What schedules make of the gate, as it was worked out last: nothing here takes long, however many schedules there are.
extension StatusReport {
    /// What the plan of a lane makes of it now, and until when; null for a lane without a plan.
    func plan(ofLane name: String) -> JSON {
        guard let lane = parts.plans.outlook.lanes[name] else { return .null }
        var fields: JSONObject = ["mode": .string(lane.state.mode.rawValue), "certain": .bool(!lane.state.isGuess)]
        fields["schedule"] = lane.state.schedule.map { .string($0) }
        fields["until"] = lane.until.map { .string(UTCText.make(seconds: $0)) }
        return .object(fields)
    }

    /// What is wrong with the plan of a lane.
    func planWarning(lane name: String) -> JSON? {
        guard let state = parts.plans.outlook.lanes[name]?.state, state.isGuess || state.isWithheld else { return nil }
        let warning: LaneWarning = state.isWithheld ? .planUnconfirmed : .planUncertain
        return ["code": .string(warning.code), "message": .string(warning.message)]
    }

    /// The clock that schedules go by.
    var siteRules: JSON {
        let publication = parts.hours.current
        let rules = publication.timetable.rules
        var fields: JSONObject = [
            "timeZone": rules.timeZone.map { .string($0.text) } ?? .null, "schedules": .integer(Int64(rules.schedules.count)),
            "rules": .integer(Int64(rules.rules.count)), "zones": .integer(Int64(rules.zones.count)),
            "nextChange": parts.plans.outlook.next.map { .string(UTCText.make(seconds: $0)) } ?? .null]
        if let problem = publication.problem {
            fields["problem"] = ["code": .string(problem.code), "message": .string(problem.message)]
        }
        fields["offset"] = publication.timetable.timeZone.map { .integer($0.offset(at: parts.clock.now().seconds)) }
        return .object(fields)
    }
}
