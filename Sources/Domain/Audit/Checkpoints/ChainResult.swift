/// A chain of a journal that was walked along and is whole.
public struct ChainResult: Hashable, Sendable {
    /// The oldest record kept; one more than `last` where none is.
    public let first: UInt64
    /// The newest record.
    public let last: UInt64
    /// Its hash.
    public let hash: [UInt8]

    /// A result.
    public init(first: UInt64, last: UInt64, hash: [UInt8]) {
        self.first = first
        self.last = last
        self.hash = hash
    }
}
