import Credentials
import PhoneProtocol

/// Why a phone stops. The gate sees only the status word 6985, or over Bluetooth an EDHOC error.
public enum PhoneStop: Error, Hashable, Sendable {
    /// EDHOC failed; `proofFailed` means that the gate does not hold the key it names.
    case exchange(EDHOCError)
    /// The gate's credential is not among the known ones.
    case unknownGate
    /// The gate's credential is a gate token that is not believed: of another issuer or site, forged, or not in its time.
    case gateToken(GateTokenError)
    /// EAD_2 is missing, is not what it should be, or has something critical that is not understood.
    case context
    /// The gate speaks another version.
    case version(Int)
    /// The gate believes to be on another carrier.
    case carrier
    /// The links of a command do not belong together, or are too many.
    case chain
    /// A value that is none, or of a kind that does not come now.
    case frame
    /// What the phone has to say does not fit one value.
    case tooLong
    /// The outcome does not decrypt or is not one.
    case outcome
    /// The phone's own credential or key cannot be used.
    case ownCredential

    /// Stable code.
    public var code: String {
        switch self {
        case .exchange(let error): error.code
        case .unknownGate: "unknown-gate"
        case .gateToken(let error): error.code
        case .context: "gate-context"
        case .version: "protocol-version"
        case .carrier: "wrong-carrier"
        case .chain: "bad-chain"
        case .frame: "bad-frame"
        case .tooLong: "too-long"
        case .outcome: "bad-outcome"
        case .ownCredential: "own-credential"
        }
    }
}

/// How a tap ended for the phone.
public enum PhoneResult: Hashable, Sendable {
    /// The gate told the outcome.
    case outcome(PhoneOutcome)
    /// The gate sent an EDHOC error: the uniform refusal, or an invitation that could not be followed.
    case refused(EDHOCErrorMessage)
    /// The phone itself stopped.
    case stopped(PhoneStop)
}

/// What the phone has to say next, whatever carries it.
enum PhoneReply {
    /// message_1: the phone begins, or begins again.
    case message1([UInt8])
    case message3([UInt8])
    /// Nothing: it is over, with this result.
    case end(PhoneResult)
}
