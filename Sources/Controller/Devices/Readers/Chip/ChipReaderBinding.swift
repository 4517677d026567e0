import ReaderProtocol

/// One of our readers that is a PN532, and what there is to bring it back (T3, O5).
public struct ChipReaderBinding: Sendable {
    /// Our name.
    public let name: ReaderName
    /// The socket of the program that drives it.
    public let socket: String
    /// What that program is told.
    public let setup: ReaderSetup
    /// The chip's reset line, where one is wired.
    public let resetLine: (any ResetLine)?
    /// The USB port that it hangs on, where it may be shut.
    public let port: (any ReaderPort)?

    public init(name: ReaderName, socket: String, setup: ReaderSetup, resetLine: (any ResetLine)? = nil, port: (any ReaderPort)? = nil) {
        self.name = name
        self.socket = socket
        self.setup = setup
        self.resetLine = resetLine
        self.port = port
    }
}

extension RecoveryMeans {
    init(_ binding: ChipReaderBinding) {
        self.init(hasResetLine: binding.resetLine != nil, hasPort: binding.port != nil)
    }
}
