/// One connection of one phone to one radio. The next connection of the same phone is another link.
public struct RadioLink: Hashable, Sendable {
    /// The radio's name.
    public let radio: String
    /// Never used again while the program runs.
    public let id: UInt64

    public init(radio: String, id: UInt64) {
        self.radio = radio
        self.id = id
    }
}
