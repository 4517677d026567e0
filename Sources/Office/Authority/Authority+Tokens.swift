import Credentials
import Cryptography
import Vocabulary

extension Authority {
    /// Issues a token and remembers it: issuer, cti, subject, identifier and times.
    ///
    /// It is remembered before it is handed out, so that there is no token that cannot be revoked.
    public func issue(_ request: TokenRequest, now: Int64) throws(AuthorityError) -> Token {
        guard request.key.curve == .p256 else { throw .wrongCurve }
        guard !request.key.isWellKnown else { throw .keyWellKnown(thumbprint: request.key.thumbprint) }
        let subject = try SubjectName.checked(request.subject), rights = try request.rights.checked()
        try refuseOtherRoles(request.key)
        try refuseRevoked(key: request.key, subject: subject)
        guard let expiresAt = rights.expiresAt, rights.notBefore ?? now < expiresAt, request.clockSkew >= 0 else { throw .badTimes }
        let claims = TokenClaims(
            issuer: issuer, subject: subject,
            audiences: rights.audiences.isEmpty ? [Place.scheme + site] : rights.audiences,
            notBefore: rights.notBefore ?? max(0, now - min(request.clockSkew, now)), expiresAt: expiresAt, issuedAt: now,
            cti: RandomBytes.make(Self.tokenNumberLength),
            confirmationKey: COSEKey(key: request.key, use: request.use), scope: rights.scope,
            userVerification: request.userVerification)
        try refuseBeyondCeiling(claims, now: now)
        let key = try issuerKey()
        let token: Token
        do throws(TokenError) { token = try Token.issue(claims, key: key) } catch { throw .token(error) }
        try database.add(token, now: now)
        return token
    }

    /// Random, so that it says nothing of how many there are. The database refuses one used before.
    private static let tokenNumberLength = 8

    /// Gates would refuse it, and its holder would learn that at the gate.
    private func refuseBeyondCeiling(_ claims: TokenClaims, now: Int64) throws(AuthorityError) {
        guard let ceiling = try issuers().first(where: \.isInUse)?.ceiling else { return }
        let clock = ClockReading(seconds: now, trust: .synchronised)
        if let excess = ceiling.excess(of: claims, clock: clock, isInForce: { _ in true }) { throw .beyondCeiling(issuer: claims.issuer, excess) }
    }

    /// Refuses what gates would refuse anyway, and what they would no longer refuse under another name.
    func refuseRevoked(key: PublicKey, subject: String) throws(AuthorityError) {
        let thumbprint = key.thumbprint
        if try database.isTakenBack(.key(thumbprint: thumbprint)) { throw .keyRevoked(thumbprint: thumbprint) }
        if try database.isTakenBack(.subject(subject)) { throw .subjectRevoked(subject) }
        try database.refuseHolders(ofKey: thumbprint, otherThan: subject)
    }
}

extension AuthorityDatabase {
    func add(_ token: Token, now: Int64) throws(AuthorityError) {
        let insert = try prepare("""
            INSERT INTO token (identifier, issuer, cti, subject, thumbprint, not_before, expires_at, issued_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """)
        insert.bind(token.identifier.bytes, at: 1)
        insert.bind(token.issuer, at: 2)
        insert.bind(token.identifierClaim, at: 3)
        insert.bind(token.subject, at: 4)
        insert.bind(token.confirmationKey.thumbprint, at: 5)
        insert.bind(token.notBefore, at: 6)
        insert.bind(token.expiresAt, at: 7)
        insert.bind(now, at: 8)
        try insert.finish()
    }
}

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
