/// Tells a value that has settled from one that bounces (L3).
///
/// It works on the times of the edges, not on the time at which somebody looks: who comes late to a contact that was
/// closed for long enough still learns of it. A value counts once it has been the same for the time that it was given.
public struct Debouncer<Value: Hashable & Sendable>: Hashable, Sendable {
    /// What is known of the time just before a value.
    public enum Beginning: Hashable, Sendable {
        /// The value before lasted up to this edge. An edge to the same value is a bounce that was too short to be seen.
        case edge
        /// Edges were lost: it may have been anything, and counts as having bounced.
        case gap
        /// Nobody looked: the value was found.
        case found
    }

    /// A value that has settled.
    public struct Settled: Hashable, Sendable {
        public let value: Value
        /// When it had been the same for long enough.
        public let at: Instant
        /// Nobody saw it begin.
        public let isFound: Bool
    }

    private struct Candidate: Hashable, Sendable {
        let value: Value
        let settles: Instant
        let isFound: Bool
    }

    /// The last value that settled; nil before the first one.
    public private(set) var settled: Value?
    private var candidate: Candidate?
    private var last = Instant(milliseconds: .min)

    /// Nothing is known yet.
    public init() {}

    /// When `advance` has something to tell, if the value stays as it is.
    public var nextChange: Instant? { candidate?.settles }

    /// From `time` on the value is `value`, and counts if it is still the same `quiet` milliseconds later. A time before
    /// the last one counts as the last one.
    /// - Returns: the value that had settled before, if that was not told yet.
    public mutating func receive(_ value: Value, at time: Instant, quiet: Int64, since beginning: Beginning = .edge) -> Settled? {
        let time = max(time, last)
        let before: Settled? = switch beginning {
        case .edge: advance(to: time)
        case .gap, .found: nil
        }
        last = time
        candidate = value == settled ? nil : Candidate(value: value, settles: time + quiet, isFound: beginning == .found)
        return before
    }

    /// Everything that happened up to `now` was received: answers the value that has settled, once.
    public mutating func advance(to now: Instant) -> Settled? {
        last = max(last, now)
        guard let candidate, candidate.settles <= now else { return nil }
        self.candidate = nil
        settled = candidate.value
        return Settled(value: candidate.value, at: candidate.settles, isFound: candidate.isFound)
    }
}
