/// A checkpoint as it stands in the main chain.
public struct KeptCheckpoint: Hashable, Sendable {
    /// Its record.
    public let sequence: UInt64
    /// The signed bytes, which nobody has looked into here.
    public let bytes: [UInt8]
}
