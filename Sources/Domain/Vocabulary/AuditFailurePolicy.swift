/// What an installer wants when an attempt cannot be made durable (`audit.on-failure`).
public enum AuditFailurePolicy: String, Sendable, CaseIterable {
    /// The relay stays de-energised. The default.
    case deny
    /// The relay moves; the record follows when the disk allows.
    case allow
}
