/// What a reader's thread is doing, for others to see: a call to PC/SC cannot be cancelled, so a
/// deadline is kept by whoever watches this. Times are monotonic milliseconds.
public enum ReaderActivity: Hashable, Sendable {
    /// Waiting for a card, or for one to be taken away.
    case idle
    /// The reader has been asked for a sign of life since then.
    case checking(since: Int64)
    /// SCardConnect has been running since then.
    case connecting(since: Int64)
    /// The presentation has the word (it computes, or waits for the journal).
    case conversing(since: Int64)
    /// SCardTransmit has been running since then.
    case transmitting(since: Int64)
    /// SCardDisconnect has been running since then.
    case disconnecting(since: Int64)

    /// Since when the driver owes an answer; nil when it owes none.
    public var waitingForDriverSince: Int64? {
        switch self {
        case .idle, .conversing: nil
        case .checking(let since), .connecting(let since), .transmitting(let since), .disconnecting(let since): since
        }
    }
}
