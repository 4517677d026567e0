import Credentials
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
    /// Whether its private key is elsewhere.
    public let isElsewhere: Bool
    /// The file in which such an issuer says what it has taken back.
    public let queue: String?
    /// The most that its tokens may say; nil: the rules say nothing of it, and one that is elsewhere is not published.
    public let ceiling: IssuerCeiling?
    /// Whether none of its tokens counts, by a command or by the rules.
    public let isOff: Bool
}
