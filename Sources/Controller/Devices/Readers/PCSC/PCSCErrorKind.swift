/// What an error from PC/SC means for us. There is one answer to each kind.
public enum PCSCErrorKind: Hashable, Sendable {
    /// The context is worth nothing any more (pcscd stopped or restarted): establish a new one.
    case contextLost
    /// The reader was unplugged: wait for it.
    case readerGone
    /// No card, or the exchange with it broke: wait for the next presentation.
    case cardGone
    /// Another program uses the reader.
    case sharing
    /// pcscd does not let us use the card.
    case denied
    /// We cancelled the call ourselves.
    case cancelled
    /// The time we gave was over.
    case timedOut
    /// Anything else.
    case other
}
