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

/// One step of a pattern: which lamps are on, and for how long.
public struct PatternStep: Hashable, Sendable {
    /// Every length is a multiple of so many milliseconds (L2).
    public static let unit: Int64 = 100
    /// The longest step, in milliseconds.
    public static let longest: Int64 = 60_000

    /// What is on; nothing is a pause.
    public let lamps: LampSet
    /// Milliseconds: a multiple of `unit`, at most `longest`.
    public let length: Int64

    /// A step; nil when its length is none that a step may have.
    public init?(_ lamps: LampSet, length: Int64) {
        guard length > 0, length <= Self.longest, length.isMultiple(of: Self.unit) else { return nil }
        self.init(lamps: lamps, units: length / Self.unit)
    }

    /// For the patterns that are shipped, whose lengths are known to be right.
    init(lamps: LampSet, units: Int64) {
        self.lamps = lamps
        length = units * Self.unit
    }
}

/// A pattern that began at a known moment: what is on at any time, and when that changes next.
///
/// Every step is reckoned from that one moment, never from the step before it: a thread that comes late plays the next
/// step at its time, and nothing drifts.
public struct PatternPlayer: Hashable, Sendable {
    /// What is played.
    public let pattern: Pattern
    /// When its first step began.
    public let since: Instant

    /// `pattern`, begun at `since`.
    public init(_ pattern: Pattern, since: Instant) {
        self.pattern = pattern
        self.since = since
    }

    /// What is on at `now`.
    public func lamps(at now: Instant) -> LampSet {
        step(at: now).step.lamps
    }

    /// The next time after `now` at which something else is on; nil when what is on stays. Steps that change nothing are
    /// passed over, so that a steady signal wakes nobody.
    public func nextChange(after now: Instant) -> Instant? {
        let (index, begin, current) = step(at: now)
        var change = begin
        for (offset, step) in upcoming(from: index).enumerated() {
            if offset > 0, step.lamps != current.lamps { return Instant(milliseconds: change) }
            change += step.length
        }
        return nil
    }

    /// Each step once, that with this number first, and then it again where the pattern repeats.
    private func upcoming(from index: Int) -> [PatternStep] {
        let rest = Array(pattern.steps[index...])
        return pattern.repeats ? rest + pattern.steps[...index] : rest
    }

    /// The step at `now`, its number, and when it began in milliseconds.
    private func step(at now: Instant) -> (index: Int, begin: Int64, step: PatternStep) {
        let length = pattern.length
        let elapsed = max(0, now - since)
        let round = pattern.repeats ? elapsed / length * length : 0
        var begin = round
        for (index, step) in pattern.steps.enumerated() {
            let isLast = index == pattern.steps.count - 1
            if elapsed < begin + step.length || isLast { return (index, since.milliseconds + begin, step) }
            begin += step.length
        }
        preconditionFailure("a pattern has at least one step")
    }
}
