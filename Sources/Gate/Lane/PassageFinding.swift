/// What a lane makes of a passage, or of none (L5). The raw value is the stable code.
public enum PassageFinding: String, Hashable, Sendable, CaseIterable {
    /// The person who was let through has passed.
    case passed
    /// Somebody has passed a lane that is open: under fire, held open, free passage. Counted, no alarm.
    case counted
    /// Nobody passed on a grant within the wait.
    case grantedNotPassed = "granted-not-passed"
    /// Somebody passes whom nobody has let through.
    case forced = "forced-passage"
    /// Somebody passes the other way on a grant.
    case reverse = "reverse-passage"
    /// A second person passes on one grant.
    case second = "second-passage"
    /// A passage takes longer than it may: the lane is blocked or kept open.
    case held
    /// A passage that took too long is over.
    case heldOver = "held-over"
}
