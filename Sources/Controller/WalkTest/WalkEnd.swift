/// Why a walk test is over.
enum WalkEnd: String, Sendable {
    /// Every step was taken.
    case done
    /// Whoever asked for it ended it.
    case stopped
    /// Whoever asked for it has not asked how far it is for a while.
    case abandoned
    /// Fire or a lockdown has taken the lane.
    case overridden
    /// The gate stops.
    case gateStops = "gate-stops"
}
