/// Who collects the records of the journal.
public enum AuditCollection: String, Sendable, CaseIterable {
    /// Nobody: the ring lets the oldest records go without a word.
    case none
    /// Somebody exports them with `tapstile journal` and says so with `tapstile journal ack`.
    case export
}
