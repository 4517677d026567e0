/// A reader that PC/SC knows of, and what it says about itself.
public struct AttachedReader: Hashable, Sendable {
    /// The name PC/SC gave it, with its index.
    public let pcscName: String
    /// From the driver, or from the brackets in the name; nil when neither has it.
    public var serial: String?
    /// The USB path or the channel (see `ReaderMatch.port`); nil when it was not asked or not told.
    public var port: String?

    public init(pcscName: String, serial: String? = nil, port: String? = nil) {
        self.pcscName = pcscName
        self.serial = serial ?? PCSCReaderName(pcscName).serial
        self.port = port
    }

    /// True when the binding means this reader.
    func fits(_ binding: ReaderBinding) -> Bool {
        if let part = binding.nameContains, !pcscName.contains(part) { return false }
        switch binding.match {
        case .name(let name): return name == pcscName || name == PCSCReaderName(pcscName).withoutIndex
        case .serial(let serial): return serial == self.serial
        case .port(let port): return port == self.port
        }
    }
}

extension String {
    /// Substring search: the standard library has none before Swift 6.3, and Foundation is not used.
    fileprivate func contains(_ part: String) -> Bool {
        let (whole, wanted) = (Array(utf8), Array(part.utf8))
        guard wanted.count <= whole.count else { return false }
        return (0...(whole.count - wanted.count)).contains { whole[$0...].starts(with: wanted) }
    }
}
