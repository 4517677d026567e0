import Cryptography
import Encoding

/// What a token says. Times are UNIX seconds.
public struct TokenClaims: Hashable, Sendable {
    /// `iss`: the name of the issuer in the site data.
    public var issuer: String
    /// `sub`: the person or account.
    public var subject: String
    /// `aud`: the places, see `Place`; at least one.
    public var audiences: [String]
    /// `nbf`: the first second at which the token is valid.
    public var notBefore: Int64
    /// `exp`: the first second at which it is valid no more.
    public var expiresAt: Int64
    /// `iat`, if told.
    public var issuedAt: Int64?
    /// `cti`: the issuer's own number of the token, 1 to 64 bytes.
    public var cti: [UInt8]
    /// `cnf`: the key that the phone proves to have.
    public var confirmationKey: COSEKey
    /// `scope`: the commands, at least one. A token without the claim has `tokn` alone.
    public var scope: [String]
    /// `uv`: the issuer saw that the key is released only after user verification.
    public var userVerification: Bool

    /// The command of a token that names none.
    public static let defaultCommand = "tokn"

    /// Whether a text is a command that a phone can name (docs/phone-protocol.md): up to 32 bytes without spaces.
    public static func isCommand(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && !text.contains(where: \.isWhitespace) && NameRule.allows(text)
    }

    /// Claims of a token to be issued.
    public init(issuer: String, subject: String, audiences: [String], notBefore: Int64, expiresAt: Int64,
                issuedAt: Int64? = nil, cti: [UInt8], confirmationKey: COSEKey,
                scope: [String] = [TokenClaims.defaultCommand], userVerification: Bool = false) {
        self.issuer = issuer
        self.subject = subject
        self.audiences = audiences
        self.notBefore = notBefore
        self.expiresAt = expiresAt
        self.issuedAt = issuedAt
        self.cti = cti
        self.confirmationKey = confirmationKey
        self.scope = scope
        self.userVerification = userVerification
    }

    /// The claims set. One audience is written as text, several as array; the default scope is left out.
    public var cbor: CBOR {
        var map: CBORMap = [
            ClaimLabel.issuer: .text(issuer), ClaimLabel.subject: .text(subject),
            ClaimLabel.expiresAt: CBOR(expiresAt), ClaimLabel.notBefore: CBOR(notBefore),
            ClaimLabel.identifier: .bytes(cti),
            ClaimLabel.confirmation: .map([ClaimLabel.confirmationKey: confirmationKey.cbor])
        ]
        map[ClaimLabel.audience] = audiences.count == 1 ? .text(audiences[0]) : .array(audiences.map(CBOR.text))
        if let issuedAt { map[ClaimLabel.issuedAt] = CBOR(issuedAt) }
        if scope != [Self.defaultCommand] { map[ClaimLabel.scope] = .text(scope.joined(separator: " ")) }
        if userVerification { map[ClaimLabel.userVerification] = true }
        return .map(map)
    }
}
