/// What a lane can tell people, as `[pattern.SIGNAL]` names it.
public enum SignalName: String, Sendable, CaseIterable {
    case ready, reading, granted, denied, wait, degraded
    case lockedDown = "locked-down"
    case free, closed, alarm, fault, fire
}
