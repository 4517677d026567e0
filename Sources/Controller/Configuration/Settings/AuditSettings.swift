import Vocabulary

/// `[audit]`
public struct AuditSettings: Hashable, Sendable {
    /// What happens to a presentation whose attempt record cannot be made durable in time.
    public var onFailure: AuditFailurePolicy
    /// How long the relay waits for the outcome record. Milliseconds.
    public var waitMilliseconds: Int
    /// How long after the phone's proof the attempt record may take. Milliseconds.
    public var durableWithinMilliseconds: Int
    /// The journal is a ring of this many records.
    public var maximumRecords: Int
    /// Who collects the records.
    public var collect: AuditCollection
    /// What happens when all of it is uncollected.
    public var onFull: AuditFullPolicy

    public init(onFailure: AuditFailurePolicy, waitMilliseconds: Int, durableWithinMilliseconds: Int, maximumRecords: Int,
                collect: AuditCollection, onFull: AuditFullPolicy) {
        self.onFailure = onFailure
        self.waitMilliseconds = waitMilliseconds
        self.durableWithinMilliseconds = durableWithinMilliseconds
        self.maximumRecords = maximumRecords
        self.collect = collect
        self.onFull = onFull
    }
}

/// Who collects the records of the journal.
public enum AuditCollection: String, Sendable, CaseIterable {
    /// Nobody: the ring lets the oldest records go without a word.
    case none
    /// Somebody exports them with `tapstile journal` and says so with `tapstile journal ack`.
    case export
}

/// What a gate does whose journal is full of records that nobody has collected.
public enum AuditFullPolicy: String, Sendable, CaseIterable {
    /// The oldest go; they are counted, and the count is shown.
    case overwrite
    /// The lanes grant nothing until somebody has collected (`journal-full`).
    case deny
}
