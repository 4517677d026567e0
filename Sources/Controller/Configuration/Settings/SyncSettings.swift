/// `[sync]`
public struct SyncSettings: Hashable, Sendable {
    /// Address of the repository.
    public var url: String
    /// Where the targets lie; nil: below `url`.
    public var targetsURL: String?
    /// How often the gate looks for something new. Minutes.
    public var intervalMinutes: Int
    /// Gates that start together are spread over so much time. Seconds.
    public var startSpreadSeconds: Int
    /// Bytes a second below which a server is given up.
    public var minimumRate: Int
    /// The socket of the program that fetches.
    public var socket: String
    /// The proxy to the network; nil: none.
    public var proxy: String?
    /// Hosts that are asked without it, with commas between them.
    public var noProxy: String?
    /// Addresses besides the two below which files may lie.
    public var moreURLs: [String] = []
    /// Addresses of this machine or its own cables that servers and the proxy may have.
    public var localAddresses: [String] = []
    /// File of those who may vouch for the server; nil: the system's.
    public var authorities: String?
    /// File of the gate's certificate.
    public var certificate: String?
    /// File of its key.
    public var key: String?

    public init(url: String, targetsURL: String? = nil, intervalMinutes: Int = 15, startSpreadSeconds: Int = 30, minimumRate: Int = 1024,
                socket: String = "/run/tapstile-net/fetch.sock") {
        self.url = url
        self.targetsURL = targetsURL
        self.intervalMinutes = intervalMinutes
        self.startSpreadSeconds = startSpreadSeconds
        self.minimumRate = minimumRate
        self.socket = socket
    }
}
