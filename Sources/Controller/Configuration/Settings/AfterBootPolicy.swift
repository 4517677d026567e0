/// What the first time after a boot is good for.
public enum AfterBootPolicy: String, Sendable, CaseIterable {
    /// It serves people, and opens nothing by itself until something signed, root or an operator confirms it.
    case confirm
    /// It counts at once, whoever it comes from.
    case believe
}
