import Attestation
import InvitationDesk
import Threads
import WebServer

/// Why it does not serve.
public enum InvitationServiceError: Error, Hashable, Sendable {
    case desk(DeskError)
    case web(WebServerError)
    case attestation(AttestationPolicyFault)
    case system(SystemError)

    /// Stable code.
    public var code: String {
        switch self {
        case .desk(let error): error.code
        case .web(let error): error.code
        case .attestation(let error): error.code
        case .system(let error): error.code
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .desk(let error): error.message
        case .web(let error): error.message
        case .attestation(let error): error.message
        case .system(let error): error.message
        }
    }
}
