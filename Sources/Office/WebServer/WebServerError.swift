import Threads

/// Why a server cannot listen.
public enum WebServerError: Error, Hashable, Sendable {
    /// Nobody can listen there.
    case cannotListen(String, SystemError)
    /// A file with a certificate or a key cannot be read.
    case unreadable(SystemError)
    /// What is in these files is no certificate with its key.
    case badCertificate(certificate: String, key: String)
    /// libmicrohttpd does not start; what it says.
    case notStarted(String)
    /// A file of the page cannot be sent.
    case badAsset(String)

    /// Stable code.
    public var code: String {
        switch self {
        case .cannotListen: "cannot-listen"
        case .unreadable: "certificate-unreadable"
        case .badCertificate: "certificate-unusable"
        case .notStarted: "server-not-started"
        case .badAsset: "page-unusable"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .cannotListen(let place, let error): "Nobody can listen at \(place): \(error.message)"
        case .unreadable(let error): error.message
        case .badCertificate(let certificate, let key): "\(certificate) and \(key) are no certificate in PEM and its key."
        case .notStarted(let why): "The web server does not start: \(why)"
        case .badAsset(let why): why
        }
    }
}
