import Cryptography

/// The long-term key of one side. It signs or it agrees; the method must fit it, never the other
/// way round (RFC 9528, 3.5.1).
public enum AuthenticationKey: Sendable {
    case signing(SigningKey)
    case agreement(AgreementKey)

    public var publicKey: PublicKey {
        switch self {
        case .signing(let key): key.publicKey
        case .agreement(let key): key.publicKey
        }
    }

    public var signs: Bool {
        switch self {
        case .signing: true
        case .agreement: false
        }
    }
}
