/// What stands in the way of a grant on a lane.
public enum LaneCondition: Equatable, Sendable {
    /// Nothing does.
    case clear
    /// A minimum delay is running (T7, T8).
    case resting(Cooldown)
    /// Another reader of the same lane is being granted at this moment.
    case busy
    /// The lane has a fault.
    case outOfService
}
