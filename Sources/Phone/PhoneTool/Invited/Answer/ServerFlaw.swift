/// What lies between the phone and a server's answer.
public enum ServerFlaw: String, Hashable, Sendable, CaseIterable {
    case nameUnknown = "server-name-unknown"
    case unreachable = "server-unreachable"
    case certificate = "server-certificate-refused"
    case authorities = "ca-unusable"
    case slow = "server-slow"
    case lost = "server-lost"
    case other = "server-failed"

    /// Stable code.
    public var code: String { rawValue }

    var sentence: String {
        switch self {
        case .nameUnknown: "Nobody knows the server's name"
        case .unreachable: "The server does not take a connection"
        case .certificate: "The server's certificate is not believed, so that nothing was said to it"
        case .authorities: "The file of '--ca' has no certificates that can be used"
        case .slow: "The server took too long; the same command tries again, with the same key"
        case .lost: "The connection broke off; the same command tries again, with the same key"
        case .other: "The server could not be asked"
        }
    }
}
