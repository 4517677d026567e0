/// What a lane is at one moment, for people who look at it. Of several that are true, the first of this list is told.
public enum LaneState: Hashable, Sendable {
    /// The fire alarm has overridden everything; the relay is held in that direction, or left alone where the installer
    /// wants that. No state among the eleven: a condition that covers them all.
    case fire(Direction?)
    /// Something is wrong that people must look at; the lane goes on granting.
    case alarm(AlarmCause)
    /// Somebody who was let through is in the passage.
    case passing(Direction)
    /// Somebody was let through and has not passed yet.
    case granted(Direction, until: Instant)
    /// A fault keeps everybody out.
    case fault
    /// Nobody passes by any credential.
    case lockedDown
    /// Taps are refused: out of hours.
    case closed
    /// The relay is held energised in that direction by somebody's request.
    case heldOpen(Direction)
    /// Everybody may pass in that direction.
    case freePassage(Direction)
    /// A refusal is being shown.
    case denied(until: Instant)
    /// A phone is being talked to.
    case reading
    /// The lane waits for a phone.
    case idle

    /// The stable word, for status and events.
    public var code: String {
        switch self {
        case .fire: "fire"
        case .alarm: "alarm"
        case .passing: "passing"
        case .granted: "granted"
        case .fault: "fault"
        case .lockedDown: "locked-down"
        case .closed: "closed"
        case .heldOpen: "held-open"
        case .freePassage: "free-passage"
        case .denied: "denied"
        case .reading: "reading"
        case .idle: "idle"
        }
    }
}
