/// How far the audit of a grant has got when the relay is to move.
public enum AuditCondition: Equatable, Sendable {
    /// This attempt and the lane's previous outcome are on disk.
    case durable
    /// The attempt's record is not on disk in time (250 ms after the phone's proof by default).
    case attemptNotDurable
    /// The lane's previous outcome is still not on disk.
    case previousOutcomeNotDurable
}
