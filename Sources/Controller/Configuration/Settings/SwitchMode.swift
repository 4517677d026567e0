/// What a mode switch makes of its lane while it is turned.
public enum SwitchMode: String, Sendable, CaseIterable {
    case lockedDown = "locked-down"
    case freePassage = "free-passage"
    case closed
    case heldOpen = "held-open"
}
