import Cryptography

/// An issuer whose tokens the site trusts. An issuer has one key; a new key is a new issuer name.
public struct TokenIssuer: Hashable, Sendable {
    /// The name that its tokens carry as `iss`.
    public let name: String
    /// Its key (P-256).
    public let key: PublicKey

    /// An issuer of the site data.
    public init(name: String, key: PublicKey) {
        self.name = name
        self.key = key
    }
}
