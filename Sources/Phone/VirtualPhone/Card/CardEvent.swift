/// What the reader does to a virtual card.
public enum CardEvent: Hashable, Sendable {
    /// It is in the field and has power.
    case powered
    /// The field went off or the card was reset: whatever conversation there was is over.
    case reset
    /// A command APDU arrived; it is not answered yet, and will not be if the card misbehaves.
    case command([UInt8])
    /// The reader has been given the answer. Whoever waits for the end of a conversation may take the
    /// card away now, and not before.
    case answered
    /// It is off the reader, for whatever reason.
    case gone
}
