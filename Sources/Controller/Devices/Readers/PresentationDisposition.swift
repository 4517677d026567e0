/// What shall happen to the phone whose presentation just ended, as long as it stays in the field.
public enum PresentationDisposition: Hashable, Sendable {
    /// It had its result. It is not run again until it was away for 300 ms; a card left lying is
    /// read once and then ignored (T9). Whoever comes before that is run at once, marked as one that may be the same.
    case done
    /// Run it again after that time without its being lifted (a cooldown that it ran into). If it
    /// is taken away and presented again before, it runs at once.
    case again(afterMilliseconds: Int64)
    /// It broke off before there was a result, as happens at the edge of the field. It is run again
    /// as soon as possible, also when it comes back within 300 ms; after three such attempts in
    /// a row it is treated as `done`.
    case interrupted
}
