/// What a lane tells the people in front of it (L2). How each one looks and sounds is a pattern.
public enum Signal: String, Hashable, Sendable, CaseIterable {
    /// Present a phone.
    case ready
    /// A phone is being read: keep it there.
    case reading
    /// Pass.
    case granted
    /// Not you.
    case denied
    /// Not yet: a pause after the last run, or somebody else's turn.
    case wait
    /// Present a phone; something is wrong that keeps nobody out.
    case degraded
    /// Nobody passes until the lockdown is lifted.
    case lockedDown = "locked-down"
    /// Pass without a phone.
    case free
    /// Nobody passes here now.
    case closed
    /// Somebody passed, or tried to, without leave.
    case alarm
    /// Out of service.
    case fault
    /// Leave: the fire alarm has released the lane, or keeps it as it is.
    case fire
}
