/// How a lane treats people as long as nothing overrides it (V7). The raw value is the stable word.
public enum LaneMode: String, Hashable, Sendable, CaseIterable {
    /// Whoever may pass is let through, one person at a time.
    case normal
    /// Out of hours: taps are refused; a running pulse ends as it would have.
    case closed
    /// Nobody passes, by nobody's credential; a running pulse is cut.
    case lockedDown = "locked-down"
    /// The relay is held energised in the direction that the installer named for it.
    case freePassage = "free-passage"
    /// The relay is held energised: somebody holds the lane open.
    case heldOpen = "held-open"

    /// Whether everybody is let through.
    public var opens: Bool {
        switch self {
        case .heldOpen, .freePassage: true
        case .normal, .lockedDown, .closed: false
        }
    }
}
