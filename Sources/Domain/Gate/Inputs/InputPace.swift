/// How often an input may tell something: 200 changes at once, and two in a second for ever. More than any turnstile, and
/// little enough that a contact that chatters, or somebody who plays with one, does not write the journal full.
public struct InputPace: Hashable, Sendable {
    /// So many changes at once.
    public static let burst: Int64 = 200
    /// Milliseconds for each of those that follow.
    public static let interval: Int64 = 500

    /// When all that was told would have been told at two in a second.
    private var even = Instant(milliseconds: .min / 2)

    public init() {}

    /// When the next change may be told; a time that has passed means at once.
    public var next: Instant { even + -(Self.burst - 1) * Self.interval }

    /// One change is told at `now`.
    public mutating func count(at now: Instant) {
        even = max(even, now) + Self.interval
    }

    /// Nothing may be told before it has been calm for long enough (`calm`).
    public mutating func exhaust(at now: Instant) {
        even = now + Self.burst * Self.interval
    }

    /// When half of the burst will have come back.
    public var calm: Instant { even + -(Self.burst / 2) * Self.interval }

    /// Whether half of the burst has been spent and has not come back at `now`.
    public func isShort(at now: Instant) -> Bool {
        even - max(now, Instant(milliseconds: .min / 2)) > Self.burst / 2 * Self.interval
    }
}
