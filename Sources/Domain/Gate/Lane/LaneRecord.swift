import Vocabulary

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

/// Where a lane's mode comes from. The raw value is the word of status, events and journal.
public enum ModeSource: String, Hashable, Sendable, CaseIterable {
    /// Nobody wants any: the lane is as it is installed.
    case standard
    /// A schedule of the site.
    case schedule
    /// A command of a phone, until another or until its time is over.
    case phone
    /// An action of an operator, until `normal` or until its time is over.
    case `operator`
    /// The switch that is wired to the lane.
    case input
}

/// What a lane makes of a passage, or of none (L5). The raw value is what records keep (`StoredWord`).
public enum PassageFinding: String, Hashable, Sendable, CaseIterable {
    /// The person who was let through has passed.
    case passed
    /// Somebody has passed a lane that is open: under fire, held open, free passage. Counted, no alarm.
    case counted
    /// Nobody passed on a grant within the wait.
    case passageTimeout = "granted-not-passed"
    /// Somebody passes whom nobody has let through.
    case forcedEntry = "forced-passage"
    /// Somebody passes the other way on a grant.
    case wrongWay = "reverse-passage"
    /// A second person passes on one grant.
    case tailgating = "second-passage"
    /// A passage takes longer than it may: the lane is blocked or kept open.
    case held
    /// A passage that took too long is over.
    case heldOver = "held-over"
}
