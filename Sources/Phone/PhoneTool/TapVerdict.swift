import PhoneProtocol
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

/// One conversation with a gate, as the phone saw it.
public struct TapRecord: Sendable {
    /// How it ended; nil if it did not.
    public let result: PhoneResult?
    /// What was said, from SELECT on.
    public let steps: [TapStep]
    /// What the gate said of itself, once it proved its key.
    public let gate: GateContext?

    /// What it comes to.
    public var verdict: TapVerdict { TapVerdict(result) }
}
