/// What a lane wants done. The caller does it after letting go of the lane.
public enum LaneAction: Hashable, Sendable {
    /// Energise the relay of a direction (`true`) or de-energise it (`false`).
    case setRelay(Direction, Bool)
    /// Show this light and no other.
    case show(Signal)
    /// Write this down.
    case record(LaneRecord)
    /// The person of that grant has passed: anti-passback commits.
    case passed(GrantIdentity, Direction)
    /// The person of that grant has not passed: anti-passback forgets the grant.
    case notPassed(GrantIdentity, Direction)
}
