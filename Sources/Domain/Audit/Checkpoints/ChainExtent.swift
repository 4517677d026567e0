/// How far a chain of the journal reaches, as a checkpoint says it.
public struct ChainExtent: Hashable, Sendable {
    /// The oldest record kept; one more than `sequence` where none is.
    public let first: UInt64
    /// The newest record; 0 before the first.
    public let sequence: UInt64
    /// Its hash, 32 bytes; all zero before the first.
    public let hash: [UInt8]
    /// How many records the ring keeps: it lets none go before it has more. Nil in checkpoints of format 1.
    public let keeps: UInt64?

    /// The length of a hash, in bytes.
    public static let hashLength = 32

    /// An extent.
    public init(first: UInt64, sequence: UInt64, hash: [UInt8], keeps: UInt64? = nil) {
        self.first = first
        self.sequence = sequence
        self.hash = hash
        self.keeps = keeps
    }
}
