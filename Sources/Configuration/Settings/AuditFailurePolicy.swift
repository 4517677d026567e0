/// What a gate does that cannot write its journal.
public enum AuditFailurePolicy: String, Sendable, CaseIterable {
    /// It refuses (`audit-unavailable`).
    case deny
    /// It opens without a record.
    case allow
}
