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
