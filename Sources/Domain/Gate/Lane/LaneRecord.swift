/// Something that happened on a lane and belongs into the journal (A6, L4, L5).
public enum LaneRecord: Hashable, Sendable {
    /// An input of the lane changed.
    case input(InputKind, InputState)
    /// What the lane made of a passage; `direction` is nil where one sensor serves both ways and nobody was let through.
    case passage(PassageFinding, direction: Direction?, grant: GrantIdentity?)
    /// Somebody was let through once without a credential.
    case release(Direction, by: GrantCause)
    /// The relay did not move for that.
    case releaseFailed(Direction, by: GrantCause)
    /// The lane's mode changed. `requester` where an operator wanted it.
    case mode(LaneMode, direction: Direction?, source: ModeSource, requester: Requester?)
    /// The time of a mode is over that was not in force, for the switch stands above it.
    case orderOver(LaneMode, source: ModeSource)
    /// The lane raises alarms from now on, or does not.
    case armed(Bool, requester: Requester?)
    /// An alarm began.
    case alarm(AlarmCause)
    /// The alarm is over.
    case alarmOver
    /// The relay is held for the fire alarm, in that direction; nil when that is over.
    case fireRelease(Direction?)
}
