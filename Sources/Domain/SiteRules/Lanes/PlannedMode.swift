/// What a lane is made to do by a plan (V7).
public enum PlannedMode: Int, CaseIterable, Sendable {
    /// Whoever may pass is let through one at a time. Also said of a lane without a plan.
    case normal = 0
    /// Nobody is let in; whoever asks is told that the lane is closed.
    case closed = 1
    /// Locked, also for those who may pass.
    case lockedDown = 2
    /// Everybody may walk through, one at a time or not, in one direction.
    case freePassage = 3
    /// The way stands open in one direction.
    case heldOpen = 4

    /// The stable word.
    public var word: String {
        switch self {
        case .normal: "normal"
        case .closed: "closed"
        case .lockedDown: "locked-down"
        case .freePassage: "free-passage"
        case .heldOpen: "held-open"
        }
    }

    /// Whether people come through who have shown nothing.
    public var opens: Bool {
        switch self {
        case .normal, .closed, .lockedDown: false
        case .freePassage, .heldOpen: true
        }
    }

    /// The stricter, the greater: what counts where two modes would, or while nobody knows the time.
    var strictness: Int {
        switch self {
        case .heldOpen: 0
        case .freePassage: 1
        case .normal: 2
        case .closed: 3
        case .lockedDown: 4
        }
    }
}
