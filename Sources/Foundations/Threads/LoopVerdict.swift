/// How a loop does at a moment.
public enum LoopVerdict: Hashable, Sendable {
    /// It goes round, or waits for no longer than it may.
    case fine
    /// What it waits for outside takes too long. Shown as a fault; no reason for a restart.
    case delayed(OutsideCall, milliseconds: Int64)
    /// It hangs, and a restart is the cure. The text says in what.
    case stuck(String, milliseconds: Int64)
}
