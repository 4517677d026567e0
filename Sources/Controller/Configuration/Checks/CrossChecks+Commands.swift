/// The commands of lanes: one of each name, each with the output that it is about.
extension CrossChecks {
    mutating func checkCommands() {
        for lane in lanes {
            checkNames(of: ["command"], in: lane)
            let commands = lane.lists["command"] ?? []
            let outputs = (lane.lists["output"] ?? []).compactMap { $0.text("name") }
            let isByHand = isByHand(lane)
            for command in commands {
                checkOutput(of: command, among: outputs)
                checkTime(of: command)
                if !isByHand { checkTrigger(of: command) }
            }
            guard let first = commands.first, !commands.contains(where: { $0.text("name") == "tokn" }) else { continue }
            issues.warning("command-tokn-missing", at: first.position,
                           "\(lane.path) has a list of commands without `tokn`: nobody passes who names no command, and no card.")
        }
    }

    private mutating func checkTime(of command: TableReading) {
        guard let action = command.choice("action", CommandSettings.Action.self), command.present.contains("minutes"),
              let minutes = command.integer("minutes") else { return }
        guard let allowed = action.minutes else {
            return issues.warning("minutes-unused", at: command.position(of: "minutes"),
                                  "\(command.path).action is \"\(action.rawValue)\", of which nothing lasts.")
        }
        guard !allowed.contains(minutes) else { return }
        issues.error("out-of-range", at: command.position(of: "minutes"),
                     "\(command.path).action is \"\(action.rawValue)\", which lasts from \(allowed.lowerBound) to \(allowed.upperBound) minutes, not \(minutes).")
    }

    /// Whether a person may start something at the lane: at a reader that it serves phones at, or over a radio that takes it.
    private func isByHand(_ lane: TableReading) -> Bool {
        // What could not be read may be what is meant.
        guard let name = lane.text("name"), let carriers = lane.choice("carriers", CarrierSetting.self) else { return true }
        let isAtReader = readers.contains { $0.text("lane") == name || $0.text("lane") == nil }
        let isOnAir = radios.contains { $0.texts("lanes")?.contains(name) != false && $0.flag("manual") != false }
        return isOnAir || isAtReader && carriers != .bleOnly
    }

    private mutating func checkTrigger(of command: TableReading) {
        guard let action = command.choice("action", CommandSettings.Action.self), !action.isPassage else { return }
        issues.warning("command-never-run", at: command.position(of: "action"),
                       "\(command.path) is run by hand only, and neither a reader nor a radio of its lane takes what a person starts: every phone is answered "
                           + "`command-not-allowed`. Allow `manual` at its radio, or serve the lane at a reader.")
    }

    private mutating func checkOutput(of command: TableReading, among outputs: [String]) {
        guard let action = command.choice("action", CommandSettings.Action.self) else { return }
        let output = command.text("output")
        if action.isOfOutput, !command.present.contains("output") {
            issues.error("output-needed", at: command.position(of: "action"), "\(command.path).action is \"\(action.rawValue)\", which needs an `output`.")
        } else if !action.isOfOutput, output != nil {
            issues.error("output-unused", at: command.position(of: "output"), "\(command.path).action is \"\(action.rawValue)\", which switches no output.")
        } else if let output, !outputs.contains(output) {
            issues.error("output-unknown", at: command.position(of: "output"), "The lane has no [[lane.output]] \"\(output)\".")
        }
    }
}
