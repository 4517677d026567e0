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
            let lamps = Light.lamps.map(\.rawValue) + [PatternStepSettings.off]
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
                       "\(first.path) changes nothing: no lane has [lane.lights.red], green, blue or buzzer.")
    }

    private func hasLamp(_ lane: TableReading) -> Bool {
        Light.lamps.contains { lane.tables["lights"]?.tables[$0.rawValue] != nil }
    }
}
