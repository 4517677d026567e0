/// What one may ask of the control server.
public struct ControlLimits: Hashable, Sendable {
    /// Bytes of a line, without its end. A longer one ends the connection.
    public var lineBytes: Int
    /// Connections at once, of everybody.
    public var clients: Int
    /// So many of them are root's alone.
    public var keptForRoot: Int
    /// Connections at once of one user other than root.
    public var clientsOfUser: Int
    /// So many of them may hear events, so that the user can still ask.
    public var subscribersOfUser: Int
    /// Bytes that may wait for one client. Beyond it events are dropped and counted, and no further line of
    /// it is heard until it has read its answers.
    public var outputBytes: Int
    /// Events that may wait for the server's thread.
    public var events: Int
    /// When all places are taken, a client that has done nothing for so long makes room.
    public var idleMilliseconds: Int64
    /// A client that takes nothing for so long while events or answers wait for it is cut off.
    public var stallMilliseconds: Int64

    public init(lineBytes: Int = 64 * 1024, clients: Int = 32, keptForRoot: Int = 4, clientsOfUser: Int = 8, subscribersOfUser: Int = 6, outputBytes: Int = 256 * 1024, events: Int = 1024,
                idleMilliseconds: Int64 = 10_000, stallMilliseconds: Int64 = 30_000) {
        self.lineBytes = lineBytes
        self.clients = clients
        self.keptForRoot = keptForRoot
        self.clientsOfUser = clientsOfUser
        self.subscribersOfUser = subscribersOfUser
        self.outputBytes = outputBytes
        self.events = events
        self.idleMilliseconds = idleMilliseconds
        self.stallMilliseconds = stallMilliseconds
    }
}
