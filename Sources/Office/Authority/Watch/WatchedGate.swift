/// One gate that the office looked at.
public struct WatchedGate: Hashable, Sendable {
    /// The gate's identifier.
    public let gate: String
    /// What is wrong with it.
    public let findings: [GateFinding]
    /// The version of the site data that it has; nil where it does not say, or has none.
    public internal(set) var version: Int64?
    /// When they were issued, UNIX seconds.
    public internal(set) var issued: Int64?
    /// The version that the office gave out last.
    public internal(set) var newest: Int64 = 0

    init(gate: String, findings: [GateFinding]) { (self.gate, self.findings) = (gate, findings) }
}
