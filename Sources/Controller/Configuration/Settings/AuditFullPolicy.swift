/// What a gate does whose journal is full of records that nobody has collected.
public enum AuditFullPolicy: String, Sendable, CaseIterable {
    /// The oldest go; they are counted, and the count is shown.
    case overwrite
    /// The lanes grant nothing until somebody has collected (`journal-full`).
    case deny
}
