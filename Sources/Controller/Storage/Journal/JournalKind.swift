/// What a journal record tells about. The raw value is written into the record.
public enum JournalKind: String, Sendable, Hashable, CaseIterable {
    /// A presentation has begun; no relay moves before this is durable.
    case attempt
    /// How a presentation ended.
    case outcome
    /// Unproven failures of one lane and reason, counted instead of written one by one.
    case repeatedFailures = "repeated-failures"
    /// A line changed: passage, request to exit, fire, tamper.
    case input
    /// Somebody passed, or did not: what the lane made of a passage.
    case passage
    /// A lane's mode changed.
    case mode
    /// The configuration was loaded, changed or refused.
    case configuration
    /// Site data was applied, refused or set aside.
    case trust
    /// The program started, stopped, or recovered from something.
    case service
    /// Something happened to the journal itself.
    case journal
    /// How far both chains reach, signed by the gate.
    case checkpoint
}
