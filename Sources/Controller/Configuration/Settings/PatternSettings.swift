/// `[pattern.SIGNAL]`: an installer's own pattern for a signal, in place of the shipped one.
public struct PatternSettings: Hashable, Sendable {
    /// At least one and at most `mostSteps`.
    public var steps: [PatternStepSettings]
    /// Whether it begins again after the last step, which stays otherwise.
    public var repeats: Bool

    /// The most steps of a pattern.
    public static let mostSteps = 64

    public init(steps: [PatternStepSettings], repeats: Bool) {
        self.steps = steps
        self.repeats = repeats
    }

    /// Nothing is ever on, or nothing any more once the last step stays.
    var isDark: Bool {
        repeats ? steps.allSatisfy(\.lamps.isEmpty) : steps.last?.lamps.isEmpty ?? true
    }
}
