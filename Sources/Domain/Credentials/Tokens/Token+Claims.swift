import Cryptography

/// The claims, for those who hold a token.
extension Token {
    /// `iss`.
    public var issuer: String { claims.issuer }
    /// `sub`.
    public var subject: String { claims.subject }
    /// `aud`.
    public var audiences: [String] { claims.audiences }
    /// `nbf`, UNIX seconds.
    public var notBefore: Int64 { claims.notBefore }
    /// `exp`, UNIX seconds.
    public var expiresAt: Int64 { claims.expiresAt }
    /// `iat`, UNIX seconds.
    public var issuedAt: Int64? { claims.issuedAt }
    /// `cti`.
    public var identifierClaim: [UInt8] { claims.cti }
    /// `cnf`.
    public var confirmationKey: PublicKey { claims.confirmationKey.key }
    /// What the confirmation key is for, if the token tells.
    public var confirmationKeyUse: KeyUse? { claims.confirmationKey.use }
    /// The commands of the token.
    public var scope: [String] { claims.scope }
    /// Whether the key is released only after user verification.
    public var userVerification: Bool { claims.userVerification }
}
