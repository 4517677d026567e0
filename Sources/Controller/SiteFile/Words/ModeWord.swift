import SiteRules

/// How a file writes the mode of a lane.
enum ModeWord: String, CaseIterable {
    case normal
    case closed
    case lockedDown = "locked-down"
    case freePassage = "free-passage"
    case heldOpen = "held-open"

    var mode: PlannedMode {
        switch self {
        case .normal: .normal
        case .closed: .closed
        case .lockedDown: .lockedDown
        case .freePassage: .freePassage
        case .heldOpen: .heldOpen
        }
    }
}
