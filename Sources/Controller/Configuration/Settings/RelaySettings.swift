/// `[lane.relay]`
public struct RelaySettings: Hashable, Sendable {
    public var output: OutputSettings
    /// L1: how long the relay is energised. Milliseconds.
    public var pulseMilliseconds: Int

    /// Whether it is held until the passage begins, at the latest until nobody waits for it any more.
    public var hold: RelayHold

    public init(output: OutputSettings, pulseMilliseconds: Int, hold: RelayHold = .pulse) {
        self.output = output
        self.pulseMilliseconds = pulseMilliseconds
        self.hold = hold
    }
}
