import Conversations
import VirtualPhone

/// What a tap came to, for whoever asked for it.
public enum TapVerdict: String, Sendable {
    /// The gate opened.
    case granted
    /// The gate said no, with or without a reason.
    case refused
    /// Nobody told a result.
    case none

    /// - Parameter result: nil where the conversation did not come to its end.
    init(_ result: PhoneResult?) {
        self = switch result {
        case .outcome(let outcome): outcome.result == .granted ? .granted : .refused
        case .refused: .refused
        case .stopped, nil: .none
        }
    }
}
