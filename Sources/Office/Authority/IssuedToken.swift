import Credentials

/// What the authority remembers of a token. Times are UNIX seconds.
public struct IssuedToken: Hashable, Sendable {
    /// What names it.
    public let identifier: TokenIdentifier
    /// `iss`.
    public let issuer: String
    /// `cti`.
    public let cti: [UInt8]
    /// `sub`.
    public let subject: String
    /// The thumbprint of the phone's key.
    public let thumbprint: [UInt8]
    /// `nbf`.
    public let notBefore: Int64
    /// `exp`.
    public let expiresAt: Int64
    /// When it was issued.
    public let issuedAt: Int64
}
