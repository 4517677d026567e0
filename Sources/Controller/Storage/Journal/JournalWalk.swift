/// A stretch of a walk along a chain.
public struct JournalWalk: Hashable, Sendable {
    /// What was found on the way.
    public let found: JournalVerification
    /// Whether the walk has come to the durable head, or to something broken.
    public let isAtEnd: Bool
    /// What the first record of the stretch follows from.
    public let start: JournalHead
    /// The checkpoints on the way.
    public let checkpoints: [KeptCheckpoint]
    /// Files that were set aside before these records.
    public let continuations: [JournalContinuation]
    /// The exchanges of which these records tell.
    public let transcripts: [KeptTranscript]
}
