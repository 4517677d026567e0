import Cryptography

/// A token to be issued.
public struct TokenRequest: Sendable {
    /// The public key of the phone.
    public var key: PublicKey
    /// What the phone does with it.
    public var use: KeyUse
    /// The person or account.
    public var subject: String
    /// Where, what and when. Without audiences it is for the whole site; `notBefore` and `expiresAt` are needed.
    public var rights: Rights
    /// The key was seen to be released only after user verification (requirement V6).
    public var userVerification: Bool

    /// For how many seconds before it is issued the token counts too, where `rights` say no first moment: for gates whose clocks are behind.
    public var clockSkew: Int64

    /// Five minutes: more than a clock in holdover is wrong by for weeks, and nothing to somebody who has the token only from then on.
    public static let usualClockSkew: Int64 = 300

    /// A request.
    public init(key: PublicKey, use: KeyUse, subject: String, rights: Rights, userVerification: Bool = false,
                clockSkew: Int64 = TokenRequest.usualClockSkew) {
        self.key = key
        self.use = use
        self.subject = subject
        self.rights = rights
        self.userVerification = userVerification
        self.clockSkew = clockSkew
    }
}
