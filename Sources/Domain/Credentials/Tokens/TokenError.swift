import Encoding

/// Why bytes are no token of this profile. To the verification all of them are `malformed`.
public enum TokenError: Error, Hashable, Sendable {
    /// More than `Token.longest` bytes.
    case tooLong
    /// Not an acceptable COSE_Sign1; an added tag is one of the causes.
    case structure(COSEError)
    /// The protected header names another algorithm than ES256, or none.
    case algorithm
    /// The protected header says that it is something else than a CWT.
    case type
    /// The unprotected header has something else than a `kid` in bytes.
    case unprotectedHeader
    /// The signature has not 64 bytes.
    case signatureLength
    /// The payload is not a map in deterministic CBOR.
    case claims
    /// A mandatory claim is missing, or a claim has a wrong type or an empty or overlong value.
    case claim(label: Int64)
    /// A claim is no name (`NameRule`): people would not see what they read.
    case name(label: Int64, NameFlaw)
    /// `cnf` is not exactly one COSE_Key with a point on its curve, `y` as byte string.
    case confirmationKey

    /// Stable code for logs.
    public var code: String {
        switch self {
        case .tooLong: "token-too-long"
        case .structure(let error): error.code
        case .algorithm: "token-algorithm"
        case .type: "token-type"
        case .unprotectedHeader: "token-unprotected-header"
        case .signatureLength: "token-signature-length"
        case .claims: "token-claims"
        case .claim: "token-claim"
        case .name: "token-name-forbidden"
        case .confirmationKey: "token-confirmation-key"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .tooLong: "The token is longer than \(Token.longest) bytes."
        case .structure(let error): error.message
        case .algorithm: "The token is not signed with ES256."
        case .type: "It says of itself that it is something else than a token."
        case .unprotectedHeader: "The unprotected header of the token has more than a key identifier."
        case .signatureLength: "The signature of the token has not 64 bytes."
        case .claims: "The claims of the token are not a map in deterministic CBOR."
        case .claim(let label): "The claim \(label) of the token is missing or not valid."
        case .name(let label, let flaw): "The claim \(label) of the token \(flaw.complaint)."
        case .confirmationKey: "The confirmation key of the token is not valid."
        }
    }
}
