/// What one listener gives to all that ask, and to each.
public struct WebLimits: Hashable, Sendable {
    /// Connections at once. More wait in the kernel's queue until one ends.
    public var connections: Int
    /// Connections of one address at once; more are closed. Behind a Unix socket there are no addresses: the web server in front has limits.
    public var connectionsOfAddress: Int
    /// Seconds in which nothing comes and nothing goes, after which a connection ends.
    public var idleSeconds: Int
    /// Seconds from the first byte of a request, or its connection, to the last byte of its answer, after which the connection ends: who
    /// sends a byte now and then holds nothing for longer.
    public var requestSeconds: Int
    /// The most bytes of a body.
    public var bodyBytes: Int
    /// The threads that answer.
    public var threads: Int

    /// Usual limits: with TLS, full, less than 20 MiB.
    public init(connections: Int = 256, connectionsOfAddress: Int = 96, idleSeconds: Int = 10, requestSeconds: Int = 30, bodyBytes: Int = 16_384,
                threads: Int = 4) {
        (self.connections, self.connectionsOfAddress, self.idleSeconds) = (connections, connectionsOfAddress, idleSeconds)
        (self.requestSeconds, self.bodyBytes, self.threads) = (requestSeconds, bodyBytes, threads)
    }

    /// Bytes for the headers of a request and an answer.
    static let headerBytes = 16_384
    /// A TLS handshake and the deepest handler, with SQLite and libcrypto below it, need less.
    static let stackBytes = 512 * 1024
}
