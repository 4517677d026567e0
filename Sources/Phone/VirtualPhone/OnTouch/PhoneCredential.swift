import Conversations
import Credentials

/// What a phone shows of itself.
public enum PhoneCredential: Hashable, Sendable {
    /// A token by value.
    case token([UInt8])
    /// A token by reference: the first bytes of its identifier. Its bytes are needed all the same,
    /// because both sides hash them.
    case tokenReference([UInt8])
    /// A CCS by value.
    case claims([UInt8])
    /// A CCS by reference.
    case keyIdentifier([UInt8], claims: [UInt8])

    /// ID_CRED_I; nil if a token that is to be named has not the form of one.
    var identifier: CredentialIdentifier? {
        switch self {
        case .token(let bytes): CredentialIdentifier(token: bytes)
        case .tokenReference(let bytes):
            (try? Token(parsing: bytes)).map { CredentialIdentifier(keyIdentifier: $0.identifier.reference) }
        case .claims(let bytes): CredentialIdentifier(claims: bytes)
        case .keyIdentifier(let identifier, _): CredentialIdentifier(keyIdentifier: identifier)
        }
    }

    /// CRED_I.
    var bytes: [UInt8] {
        switch self {
        case .token(let bytes), .tokenReference(let bytes), .claims(let bytes): bytes
        case .keyIdentifier(_, let claims): claims
        }
    }

    /// The same by value, for a gate that does not know the reference.
    var byValue: PhoneCredential? {
        switch self {
        case .token, .claims: nil
        case .tokenReference(let bytes): .token(bytes)
        case .keyIdentifier(_, let claims): .claims(claims)
        }
    }
}
