/// A point of monotonic time, in milliseconds since an origin of the caller's choosing.
///
/// Time enters this room as a value; nothing here reads a clock. Wall-clock time never decides
/// how long a relay is held or a cooldown lasts, because it may jump.
public struct Instant: Comparable, Hashable, Sendable {
    /// Milliseconds since the origin.
    public let milliseconds: Int64

    /// A point `milliseconds` after the origin.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The instant `delay` milliseconds later; it stops at the end of time instead of overflowing.
    public static func + (instant: Instant, delay: Int64) -> Instant {
        let (sum, overflow) = instant.milliseconds.addingReportingOverflow(delay)
        return Instant(milliseconds: overflow ? .max : sum)
    }

    /// Milliseconds from `earlier` to `later`; negative when the order is the other way round.
    public static func - (later: Instant, earlier: Instant) -> Int64 {
        later.milliseconds.subtractingReportingOverflow(earlier.milliseconds).partialValue
    }
}
