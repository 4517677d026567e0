/// The key in a key file: a private key that signs, one that agrees, or a public half.
public enum KeyMaterial: Sendable {
    /// A private key that signs.
    case signing(SigningKey)
    /// A private key that agrees.
    case agreement(AgreementKey)
    /// The public half of a key, and what its private half does.
    case `public`(PublicKey, KeyUse)

    /// The public half.
    public var publicKey: PublicKey {
        switch self {
        case .signing(let key): key.publicKey
        case .agreement(let key): key.publicKey
        case .public(let key, _): key
        }
    }

    /// What the private half does.
    public var use: KeyUse {
        switch self {
        case .signing: .sign
        case .agreement: .agree
        case .public(_, let use): use
        }
    }

    /// The same without its private half.
    public var publicHalf: KeyMaterial { .public(publicKey, use) }
}
