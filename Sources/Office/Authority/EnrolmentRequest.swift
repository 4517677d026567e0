import Credentials
import Cryptography

/// A key to be enrolled: one that opens by itself, without a token (requirement V3).
public struct EnrolmentRequest: Sendable {
    /// The public key.
    public var key: PublicKey
    /// What its private half does.
    public var use: KeyUse
    /// The person or account.
    public var subject: String
    /// `kid`, by which a phone names the key; nil: the first 8 bytes of its thumbprint.
    public var keyIdentifier: [UInt8]?
    /// Whether somebody saw the key attested as released only after user verification (V6).
    public var userVerification = false
    /// Where, what and when.
    public var rights: Rights
    /// The claims set that the phone brought, if it brought one.
    public var claims: [UInt8]?
    /// What nobody has said: of a key that is enrolled already it stays as it is.
    public var unsaid: Set<Part> = []
    /// Whether somebody has said what the key does, and it is not only what most keys do.
    private(set) var isUseSaid = true

    /// What can be said of a key.
    public enum Part: Hashable, Sendable { case audiences, scope, notBefore, expiresAt, userVerification, keyIdentifier }

    /// A key with a subject.
    public init(key: PublicKey, use: KeyUse, subject: String, keyIdentifier: [UInt8]? = nil, rights: Rights = Rights()) {
        self.key = key
        self.use = use
        self.subject = subject
        self.keyIdentifier = keyIdentifier
        self.rights = rights
    }

    /// A key as its phone brought it.
    /// - Parameters:
    ///   - use: what the key does, where its form does not say it; such keys sign, unless told otherwise.
    ///   - keyIdentifier: `kid`, where its form has none.
    public init(key: PhoneKey, use: KeyUse? = nil, subject: String, keyIdentifier: [UInt8]? = nil, rights: Rights = Rights())
        throws(AuthorityError) {
        if let brought = key.keyIdentifier, let keyIdentifier, brought != keyIdentifier { throw .otherKeyIdentifier }
        self.init(key: key.key, use: try key.use(orElse: use), subject: subject, keyIdentifier: key.keyIdentifier ?? keyIdentifier, rights: rights)
        isUseSaid = key.use != nil || use != nil
    }

    /// A key as a claims set from elsewhere: its key, its `kid` and its `sub` are taken.
    /// - Parameters:
    ///   - subject: the subject of a claims set that has none.
    ///   - use: what the key does, where the claims set does not say it; such keys agree (RFC 9528, 3.5.2),
    ///     unless told otherwise.
    public init(claims: [UInt8], subject: String? = nil, use: KeyUse? = nil, rights: Rights = Rights()) throws(AuthorityError) {
        let credential: ConfirmedKeyCredential
        do throws(COSEError) {
            credential = try ConfirmedKeyCredential(parsing: claims)
        } catch {
            throw .credential(error)
        }
        guard let subject = credential.subject ?? subject else { throw .badSubject }
        if let said = credential.key.use, let use, said != use { throw .otherUse }
        self.init(key: credential.key.key, use: credential.key.use ?? use ?? .agree, subject: subject,
                  keyIdentifier: credential.key.keyIdentifier, rights: rights)
        self.claims = claims
        isUseSaid = credential.key.use != nil || use != nil
    }

    /// The same, where what nobody has said of a known key is what it was: who enrols it again to give its phone a claims set means no wider rights.
    func leavingUnsaid(of known: EnrolledKey?) -> EnrolmentRequest {
        guard let known else { return self }
        var request = self
        if unsaid.contains(.audiences) { request.rights.audiences = known.audiences }
        if unsaid.contains(.scope) { request.rights.scope = known.scope }
        if unsaid.contains(.notBefore) { request.rights.notBefore = known.notBefore }
        if unsaid.contains(.expiresAt) { request.rights.expiresAt = known.expiresAt }
        if unsaid.contains(.userVerification) { request.userVerification = known.userVerification }
        if unsaid.contains(.keyIdentifier), keyIdentifier == nil { request.keyIdentifier = known.keyIdentifier }
        return request
    }

    /// The record for the gates, checked.
    func enrolledKey() throws(AuthorityError) -> EnrolledKey {
        guard key.curve == .p256, key.y != nil else { throw .wrongCurve }
        guard !key.isWellKnown else { throw .keyWellKnown(thumbprint: key.thumbprint) }
        let subject = try SubjectName.checked(subject), rights = try rights.checked()
        let identifier = keyIdentifier ?? key.usualKeyIdentifier
        guard (1...64).contains(identifier.count) else { throw .badKeyIdentifier }
        return EnrolledKey(keyIdentifier: identifier, key: key, use: use, subject: subject, scope: rights.scope,
                           audiences: rights.audiences, notBefore: rights.notBefore, expiresAt: rights.expiresAt,
                           userVerification: userVerification)
    }
}

extension PhoneKey {
    /// What the key does: what its form says, else what is given, else to sign.
    public func use(orElse given: KeyUse?) throws(AuthorityError) -> KeyUse {
        if let use, let given, use != given { throw .otherUse }
        return use ?? given ?? .sign
    }
}
