/// A record in a journal that somebody has walked along: a checkpoint stands above it that a gate's audit key signed, and
/// the chain leads from it to there. That is the gate's signature over what the record says.
public struct CoveredRecord: Hashable, Sendable {
    /// The record's hash.
    public let hash: [UInt8]
    /// Whose journal it is, as the checkpoint says.
    public let site: String
    public let gate: String

    /// A record that a checkpoint stands for.
    public init(hash: [UInt8], site: String, gate: String) {
        self.hash = hash
        self.site = site
        self.gate = gate
    }
}
