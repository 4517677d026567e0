/// The lines the server itself has to say. Their wording belongs to the control protocol.
public struct ControlNotices: Sendable {
    /// A line was too long; the connection ends.
    public var overlong: [UInt8]
    /// All places are taken; the connection ends.
    public var busy: [UInt8]
    /// So many events were not sent because this client read too slowly.
    public var dropped: @Sendable (Int) -> [UInt8]

    public init(overlong: [UInt8], busy: [UInt8], dropped: @escaping @Sendable (Int) -> [UInt8]) {
        self.overlong = overlong
        self.busy = busy
        self.dropped = dropped
    }
}
