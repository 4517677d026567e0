/// What becomes of a phone whose presentation is over.
public enum AfterPresentation: UInt8, Hashable, Sendable, CaseIterable {
    /// It stays in the field, and is asked whether it is still there until it is not.
    case holdUntilAway = 0
    /// It is let go of, and found again if it stays.
    case pollOn = 1
}
