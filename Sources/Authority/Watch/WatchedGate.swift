/// One gate that the office looked at.
public struct WatchedGate: Hashable, Sendable {
    /// The gate's identifier.
    public let gate: String
    /// What is wrong with it.
    public let findings: [GateFinding]
}
