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
