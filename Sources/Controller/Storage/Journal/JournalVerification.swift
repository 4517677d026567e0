/// What a walk along a chain found.
public enum JournalVerification: Hashable, Sendable {
    /// Every record kept follows from the one before it, from `first` to `head`.
    case intact(first: UInt64, head: JournalHead)
    /// The first record that does not: it was changed, is missing, or does not say what its columns say.
    case broken(sequence: UInt64, why: String)
}
