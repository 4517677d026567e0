/// One of our readers and the device that it is bound to (T3).
public struct ReaderBinding: Hashable, Sendable {
    /// Our name.
    public let name: ReaderName
    public let match: ReaderMatch
    /// Narrows the match to PC/SC readers whose name contains this. A device with two slots (the
    /// ACR1252 has a contactless one and one for a SAM) shows two readers with one serial number
    /// and one port: "PICC" picks the first.
    public let nameContains: String?
    /// So long may one call be with the driver before that is a fault of the reader (O5). Milliseconds.
    public let stuckAfterMilliseconds: Int64

    public init(name: ReaderName, match: ReaderMatch, nameContains: String? = nil, stuckAfterMilliseconds: Int64 = 10_000) {
        self.name = name
        self.match = match
        self.nameContains = nameContains
        self.stuckAfterMilliseconds = stuckAfterMilliseconds
    }
}
