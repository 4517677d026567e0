/// `[lane.relay]`
public struct RelaySettings: Hashable, Sendable {
    public var output: OutputSettings
    /// L1: how long the relay is energised. Milliseconds.
    public var pulseMilliseconds: Int

    public init(output: OutputSettings, pulseMilliseconds: Int) {
        self.output = output
        self.pulseMilliseconds = pulseMilliseconds
    }
}
