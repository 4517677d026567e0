/// What a phone brought to be known by, decrypted but not proven.
public enum ClaimedCredential: Hashable, Sendable {
    /// A token by value; it is CRED_I, byte for byte.
    case token([UInt8])
    /// A CCS by value; it is CRED_I, byte for byte.
    case claims([UInt8])
    /// A reference: an enrolled key, or a token this gate has.
    case keyIdentifier([UInt8])

    /// The token, where it is one.
    var token: [UInt8]? {
        switch self {
        case .token(let bytes): bytes
        case .claims, .keyIdentifier: nil
        }
    }
}
