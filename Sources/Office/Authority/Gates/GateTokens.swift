import Credentials

/// The credentials by value that were written for the keys of a group.
public struct GateTokens: Hashable, Sendable {
    /// Where the one for the signing key is (`gate.signing-credential`).
    public let signingPath: String
    /// Where the one for the agreement key is (`gate.agreement-credential`).
    public let agreementPath: String
    /// The first second at which they hold no more, UNIX time.
    public let expiresAt: Int64
}
