/// What a lane wants done to its outputs. The caller does it after letting go of the lane.
public enum LaneAction: Equatable, Sendable {
    /// Energise the relay (`true`) or put it to rest (`false`).
    case setRelay(Bool)
    /// Show this light and no other.
    case show(Light)
}
