/// Why a gate token is not believed.
public enum GateTokenError: Error, Hashable, Sendable {
    /// More than `GateToken.longest` bytes.
    case tooLong
    /// Not an acceptable COSE_Sign1; an added tag is one of the causes.
    case structure(COSEError)
    /// The headers are not exactly ES256 and the type of a gate token, or the signature has not 64 bytes. A
    /// person's token ends here.
    case header
    /// A claim is missing, is of a wrong type or empty, or there is one that a gate token never has.
    case claims
    /// `cnf` is not exactly one COSE_Key that tells what it is for, or it is the issuer's own key.
    case confirmationKey
    /// Another issuer, or the gate of another site.
    case otherIssuer
    /// The signature is not the issuer's.
    case signature
    /// UNIX seconds.
    case notYetValid(since: Int64)
    /// UNIX seconds.
    case expired(at: Int64)

    /// Stable code.
    public var code: String {
        switch self {
        case .tooLong: "gate-token-too-long"
        case .structure(let error): error.code
        case .header: "gate-token-header"
        case .claims: "gate-token-claims"
        case .confirmationKey: "gate-token-key"
        case .otherIssuer: "gate-token-issuer"
        case .signature: "gate-token-signature"
        case .notYetValid: "gate-token-not-yet-valid"
        case .expired: "gate-token-expired"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .tooLong: "The gate's credential is longer than \(GateToken.longest) bytes."
        case .structure(let error): error.message
        case .header: "The headers are not those of a gate's credential."
        case .claims: "The claims are not those of a gate's credential."
        case .confirmationKey: "The key in the gate's credential is not valid."
        case .otherIssuer: "The gate's credential is of another gate issuer or another site."
        case .signature: "The gate's credential was not signed by the gate issuer."
        case .notYetValid: "The gate's credential is not valid yet."
        case .expired: "The gate's credential has expired."
        }
    }
}
