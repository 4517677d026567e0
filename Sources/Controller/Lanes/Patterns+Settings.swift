import Configuration
import Gate

extension Patterns {
    /// The shipped patterns, with those of an installer in their place. What the check of the configuration let through
    /// is a pattern; were it none, the shipped one would hold.
    package init(_ settings: [SignalName: PatternSettings]) {
        var own: [Signal: Pattern] = [:]
        for (name, pattern) in settings {
            guard let signal = Signal(rawValue: name.rawValue) else { continue }
            own[signal] = Pattern(pattern)
        }
        self.init(own: own)
    }
}

extension Pattern {
    package init?(_ settings: PatternSettings) {
        let steps = settings.steps.compactMap { step in
            PatternStep(LampSet(step.lamps.compactMap { Lamp(rawValue: $0.rawValue) }), length: Int64(step.milliseconds))
        }
        guard steps.count == settings.steps.count, let pattern = try? Pattern(steps, repeats: settings.repeats) else { return nil }
        self = pattern
    }
}
