/// What one may ask of the control server.
public struct ControlLimits: Hashable, Sendable {
    /// Bytes of a line, without its end. A longer one ends the connection.
    public var lineBytes: Int
    /// Connections at once.
    public var clients: Int
    /// Bytes that may wait for one client. Beyond it events are dropped and counted, and no further line of
    /// it is heard until it has read its answers.
    public var outputBytes: Int
    /// Events that may wait for the server's thread.
    public var events: Int
    /// When all places are taken, a client that has done nothing for so long makes room.
    public var idleMilliseconds: Int64

    public init(lineBytes: Int = 64 * 1024, clients: Int = 16, outputBytes: Int = 256 * 1024, events: Int = 1024,
                idleMilliseconds: Int64 = 10_000) {
        self.lineBytes = lineBytes
        self.clients = clients
        self.outputBytes = outputBytes
        self.events = events
        self.idleMilliseconds = idleMilliseconds
    }
}
