import Spelling

extension CrossChecks {
    /// Every step that is none, and every pattern that tells nobody anything.
    mutating func checkPatterns() {
        guard let patterns = root.tables["pattern"] else { return }
        for signal in SignalName.allCases {
            guard let table = patterns.tables[signal.rawValue] else { continue }
            let isWhole = table.places("steps").reduce(true) { isWhole, step in check(step.text, at: step.position, table) && isWhole }
            if isWhole { checkWhole(table) }
        }
        checkLamps(of: patterns)
    }

    private mutating func check(_ step: String, at position: TextPosition, _ table: TableReading) -> Bool {
        do throws(PatternStepSettings.Fault) {
            _ = try PatternStepSettings(step)
            return true
        } catch {
            complain(error, step, at: position, "\(table.path).steps")
            return false
        }
    }

    private mutating func complain(_ fault: PatternStepSettings.Fault, _ step: String, at position: TextPosition, _ name: String) {
        switch fault {
        case .form:
            issues.error("pattern-step", at: position,
                         "\(name): \"\(step)\" is no step: lamps, a space, milliseconds, such as \"green+buzzer 200\" or \"off 100\".")
        case .lamp(let word):
            let lamps = Indicator.lamps.map(\.rawValue) + [PatternStepSettings.off]
            issues.error("pattern-lamp", at: position,
                         "\(name): there is no lamp \"\(word)\"; there are \(lamps.joined(separator: ", ")).",
                         suggestion: NearestName.find(word, among: lamps))
        case .twice(let word):
            issues.error("repeated-value", at: position, "\(name): \"\(step)\" names \(word) beside itself or another lamp.")
        case .length(let word):
            issues.error("pattern-length", at: position,
                         "\(name): a step lasts \(PatternStepSettings.lengths.lowerBound) to \(PatternStepSettings.lengths.upperBound) ms "
                             + "in steps of \(PatternStepSettings.unit), not \"\(word)\".",
                         suggestion: Int(word).flatMap(Self.nearestLength))
        }
    }

    private static func nearestLength(_ length: Int) -> String? {
        guard length > 0, length < PatternStepSettings.lengths.upperBound else { return nil }
        let unit = PatternStepSettings.unit
        return String(max(unit, (length + unit / 2) / unit * unit))
    }

    private mutating func checkWhole(_ table: TableReading) {
        guard let pattern = PatternSettings(table) else { return }
        if pattern.steps.count > PatternSettings.mostSteps {
            issues.error("pattern-too-long", at: table.position(of: "steps"),
                         "\(table.path).steps has \(pattern.steps.count) steps; \(PatternSettings.mostSteps) are the most.")
        }
        guard pattern.isDark else { return }
        let what = pattern.repeats ? "has no lamp in any step" : "ends with \"off\", which stays: \(table.path).repeat is false"
        issues.error("pattern-dark", at: table.position(of: "steps"), "\(table.path).steps \(what). Nobody would see anything.")
    }

    /// Patterns are played on lamps: with none wired anywhere they change nothing.
    private mutating func checkLamps(of patterns: TableReading) {
        guard let first = SignalName.allCases.compactMap({ patterns.tables[$0.rawValue] }).min(by: { $0.position < $1.position }),
              !lanes.isEmpty, !lanes.contains(where: hasLamp) else { return }
        issues.warning("pattern-unused", at: first.position,
                       "\(first.path) changes nothing: no lane has [lane.indicators.red], green, blue or buzzer.")
    }

    private func hasLamp(_ lane: TableReading) -> Bool {
        Indicator.lamps.contains { lane.tables["indicators"]?.tables[$0.rawValue] != nil }
    }
}

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
