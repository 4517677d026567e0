/// How one signal looks and sounds: steps one after the other, from the beginning again or until the last one stays.
public struct Pattern: Hashable, Sendable {
    /// The most steps of a pattern.
    public static let mostSteps = 64

    /// At least one; something is on in at least one of them.
    public let steps: [PatternStep]
    /// Whether the first step follows the last one; otherwise the last one stays.
    public let repeats: Bool

    /// Why steps are no pattern.
    public enum Fault: Error, Hashable, Sendable {
        /// No step at all.
        case empty
        /// More steps than `mostSteps`.
        case tooLong
        /// Nothing is ever on, or nothing any more once the last step stays.
        case dark
    }

    /// A pattern of these steps.
    public init(_ steps: [PatternStep], repeats: Bool) throws(Fault) {
        guard let last = steps.last else { throw .empty }
        guard steps.count <= Self.mostSteps else { throw .tooLong }
        guard repeats ? steps.contains(where: { !$0.lamps.isEmpty }) : !last.lamps.isEmpty else { throw .dark }
        self.init(steps: steps, repeats: repeats)
    }

    /// For the patterns that are shipped; a test holds them against the rules above.
    init(steps: [PatternStep], repeats: Bool) {
        self.steps = steps
        self.repeats = repeats
    }

    /// Milliseconds from the beginning of the first step to the end of the last.
    public var length: Int64 { steps.reduce(0) { $0 + $1.length } }

    /// The lamps that are on in any of its steps.
    public var lamps: LampSet { steps.reduce(into: []) { $0.formUnion($1.lamps) } }
}
