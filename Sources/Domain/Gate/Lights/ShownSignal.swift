/// The signal that people see, and since when: that is where its pattern begins.
public struct ShownSignal: Hashable, Sendable {
    public let signal: Signal
    /// When it was set. A permanent signal that was covered for a while goes on where it would be.
    public let since: Instant

    public init(_ signal: Signal, since: Instant) {
        self.signal = signal
        self.since = since
    }
}
