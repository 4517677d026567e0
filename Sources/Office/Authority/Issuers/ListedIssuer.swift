import Cryptography

/// One token issuer in a list.
public struct ListedIssuer: Hashable, Sendable {
    /// The name that its tokens carry as `iss`.
    public let name: String
    /// Which of the site's issuers it is, from 1.
    public let generation: Int64
    /// Its public key.
    public let key: PublicKey
    /// UNIX seconds.
    public let madeAt: Int64
    /// Whether it signs what is issued now.
    public let isInUse: Bool
    /// Since when gates are not given it any more, UNIX seconds; nil: they are.
    public let droppedAt: Int64?
}
