/// A pattern for every signal: those that are shipped, with an installer's own in their place.
public struct Patterns: Hashable, Sendable {
    private let own: [Signal: Pattern]

    /// The shipped patterns, but `own` where there is one.
    public init(own: [Signal: Pattern] = [:]) {
        self.own = own
    }

    /// The pattern of a signal.
    public subscript(signal: Signal) -> Pattern {
        own[signal] ?? Self.shipped(signal)
    }

    /// What is shipped. Any two differ in the rhythm of their light alone, so that neither colour nor sound is needed, and
    /// nothing flashes more than three times in a second (WCAG 2.2, 2.3.1). What happens to somebody is heard as well.
    public static func shipped(_ signal: Signal) -> Pattern {
        switch signal {
        case .ready: loop((.blue, 1))
        case .reading: loop((.blue, 1), ([], 3))
        case .granted: once(([.green, .buzzer], 3), ([], 1), (.green, 6))
        case .denied: once(([.red, .buzzer], 2), ([], 2), ([.red, .buzzer], 2), ([], 2), (.red, 2))
        case .wait: once(([.red, .green, .buzzer], 1), ([.red, .green], 3), ([], 4), ([.red, .green], 4))
        case .degraded: loop((.blue, 12), ([], 1), ([.red, .green], 2), ([], 1))
        case .lockedDown: loop((.red, 10), ([], 10))
        case .free: loop((.green, 9), ([], 1))
        case .closed: loop((.red, 1), ([], 19))
        case .alarm: loop(([.red, .buzzer], 3), ([], 3))
        case .fault: loop((.red, 2), ([], 2), (.red, 2), ([], 9))
        // Three long ones and a pause, as evacuation sounds everywhere (ISO 8201).
        case .fire: loop((all, 5), ([], 5), (all, 5), ([], 5), (all, 5), ([], 15))
        }
    }

    private static let all: LampSet = [.red, .green, .blue, .buzzer]

    private static func loop(_ steps: (lamps: LampSet, units: Int64)...) -> Pattern {
        Pattern(steps: steps.map { PatternStep(lamps: $0.lamps, units: $0.units) }, repeats: true)
    }

    private static func once(_ steps: (lamps: LampSet, units: Int64)...) -> Pattern {
        Pattern(steps: steps.map { PatternStep(lamps: $0.lamps, units: $0.units) }, repeats: false)
    }
}
