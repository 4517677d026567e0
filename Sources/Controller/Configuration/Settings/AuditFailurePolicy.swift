/// What a gate does that cannot write its journal.
public enum AuditFailurePolicy: String, Sendable, CaseIterable {
    /// It refuses (`audit-unavailable`).
    case deny
    /// It opens, and the record follows when the disk allows; no second grant of the lane before that.
    case allow
}
