/// What a site can take back.
public enum Revocation: Hashable, Sendable {
    /// One issued token.
    case token(TokenIdentifier)
    /// One issued token by the issuer's own number of it.
    case issued(issuer: String, cti: [UInt8])
    /// Everything of one person or account.
    case subject(String)
    /// Everything of one person or account, until the site lets it count again.
    case suspended(String)
    /// One key, by its thumbprint (RFC 9679), in tokens and enrolled.
    case key(thumbprint: [UInt8])
}
