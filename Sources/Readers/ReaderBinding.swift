/// One of our readers and the device that it is bound to (T3).
public struct ReaderBinding: Hashable, Sendable {
    /// Our name.
    public let name: ReaderName
    public let match: ReaderMatch
    /// Narrows the match to PC/SC readers whose name contains this. A device with two slots (the
    /// ACR1252 has a contactless one and one for a SAM) shows two readers with one serial number
    /// and one port: "PICC" picks the first.
    public let nameContains: String?

    public init(name: ReaderName, match: ReaderMatch, nameContains: String? = nil) {
        self.name = name
        self.match = match
        self.nameContains = nameContains
    }
}
