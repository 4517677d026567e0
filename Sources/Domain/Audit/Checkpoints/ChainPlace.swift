/// What a journal has at one place of a chain.
public enum ChainPlace: Hashable, Sendable {
    /// A record with this hash; or it is the one that the oldest record kept follows from.
    case hash([UInt8])
    /// The ring has let it go.
    case letGo
    /// The chain ends before it.
    case beyond
}
