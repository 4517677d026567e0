/// The commands of lanes: one of each name, each with the output that it is about.
extension CrossChecks {
    mutating func checkCommands() {
        for lane in lanes {
            checkNames(of: ["command"], in: lane)
            let commands = lane.lists["command"] ?? []
            let outputs = (lane.lists["output"] ?? []).compactMap { $0.text("name") }
            for command in commands { checkOutput(of: command, among: outputs) }
            guard let first = commands.first, !commands.contains(where: { $0.text("name") == "tokn" }) else { continue }
            issues.warning("command-tokn-missing", at: first.position,
                           "\(lane.path) has a list of commands without `tokn`: nobody passes who names no command, and no card.")
        }
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
