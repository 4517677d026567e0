import Credentials

/// Whether a lane serves a phone in the way in which it came.
public enum CarrierVerdict: Hashable, Sendable {
    /// It does.
    case served
    /// It does not: the person can fix that, and tries again.
    case refused(Reason)
}
