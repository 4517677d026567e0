/// What stands in the way of a grant on a lane.
public enum LaneCondition: Equatable, Sendable {
    /// Nothing does.
    case clear
    /// A minimum delay is running (T7, T8, T9).
    case resting(Cooldown)
    /// Somebody else is being granted at this moment.
    case busy
    /// Somebody else is being let through, at most until then.
    case occupied(until: Instant)
    /// The lane is closed or locked down, or is held open the other way.
    case closed
    /// The lane has a fault.
    case outOfService
}
