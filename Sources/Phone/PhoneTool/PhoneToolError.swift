import Credentials
import Cryptography
import Threads
import VirtualPhone

/// Why a tap could not be begun, or an invitation not be redeemed.
public enum PhoneToolError: Error, Hashable, Sendable {
    /// There is a file of that name; keys are never written over.
    case keyExists(path: String)
    /// The file is no key file.
    case keyFile(path: String, KeyFileError)
    /// The key is not that of a phone.
    case notAPhone(path: String, KeyRole)
    /// The file has the public half only.
    case publicHalf(path: String)
    /// The file with the gates' credentials is not a CBOR sequence of claims sets, each with a `kid`, and gate issuers.
    case gates(path: String)
    /// The file is no token.
    case token(path: String, TokenError)
    /// The file is no claims set with a key.
    case claims(path: String, COSEError)
    /// The claims set has no `kid` to name it by.
    case noKeyIdentifier(path: String)
    /// The credential names another key than that of the phone.
    case otherKey(path: String)
    /// The key signs and the method wants one that agrees, or the reverse.
    case methodDoesNotFit(method: Int, use: KeyUse)
    /// The description of what to do wrong is not understood.
    case misbehaviour(String)
    /// There is no virtual reader.
    case card(VirtualCardError)
    /// There is no way to a gate over Bluetooth.
    case bluetooth(BluetoothError)
    /// An invitation gives nothing.
    case invited(InvitedFault)
    /// The wallet cannot be used.
    case wallet(WalletFault)
    /// libcrypto failed.
    case cryptography(CryptographyError)
    /// A file cannot be used.
    case system(SystemError)

    /// Stable code.
    public var code: String {
        switch self {
        case .keyExists: "key-exists"
        case .keyFile(_, let error): error.code
        case .notAPhone: "key-wrong-role"
        case .publicHalf: "key-public-only"
        case .gates: "gates-malformed"
        case .token(_, let error): error.code
        case .claims(_, let error): error.code
        case .noKeyIdentifier: "key-identifier-missing"
        case .otherKey: "credential-other-key"
        case .methodDoesNotFit: "method-does-not-fit-key"
        case .misbehaviour: "misbehaviour-unknown"
        case .card(let error): error.code
        case .bluetooth(let error): error.code
        case .invited(let error): error.code
        case .wallet(let error): error.code
        case .cryptography(let error): error.code
        case .system(let error): error.code
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .keyExists(let path): "\(path) exists; a key is never written over."
        case .keyFile(let path, let error): "\(path): \(error.message)"
        case .notAPhone(let path, let role): "\(path) is a key of the role '\(role.rawValue)', not that of a phone."
        case .publicHalf(let path): "\(path) has the public half of a key only; a tap needs the private one."
        case .gates(let path): "\(path) is not what 'tapstile-authority gate' writes for phones."
        case .token(let path, let error): "\(path): \(error.message)"
        case .claims(let path, let error): "\(path): \(error.message)"
        case .noKeyIdentifier(let path): "The claims set in \(path) has no key identifier by which to name it."
        case .otherKey(let path): "\(path) names another key than that of this phone."
        case .methodDoesNotFit(let method, let use):
            "Method \(method) does not go with this key, which is one to \(use.rawValue)."
        case .misbehaviour(let text): "'\(text)' is no misbehaviour; 'tapstile-phone help tap' lists them."
        case .card(let error): error.message
        case .bluetooth(let error): error.message
        case .invited(let error): error.message
        case .wallet(let error): error.message
        case .cryptography(let error): error.message
        case .system(let error): error.message
        }
    }
}
