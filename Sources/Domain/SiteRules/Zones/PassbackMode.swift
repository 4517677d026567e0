/// What happens when somebody who has gone into a zone wants to go in again (V5).
public enum PassbackMode: Hashable, Sendable {
    /// Nothing.
    case off
    /// Granted, and noted in the journal.
    case soft
    /// Denied until they have gone out.
    case hard
    /// Denied until they have gone out or so many minutes have passed.
    case timed(minutes: Int64)

    /// The minutes that may be set: up to a week.
    public static let minutes: ClosedRange<Int64> = 1...10_080
}
