/// What there is to know before gates forget an old token issuer.
public struct IssuerHandover: Hashable, Sendable {
    /// The name that tokens of the newest issuer carry as `iss`.
    public let issuer: String
    /// Its public key, for whoever checks evidence.
    public let publicPath: String
    /// From then on no token of an older issuer opens anything, UNIX seconds.
    public let safeFrom: Int64
    /// How many tokens of older issuers still open something.
    public let tokens: Int
}
