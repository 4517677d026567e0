import Cryptography

/// A key that the site data know by itself, without a token (requirement V3).
public struct EnrolledKey: Hashable, Sendable {
    /// `kid`, by which a phone names it; not necessarily unique.
    public let keyIdentifier: [UInt8]
    /// The key.
    public let key: PublicKey
    /// What the key is for.
    public let use: KeyUse
    /// The person or account.
    public let subject: String
    /// The commands it may run; `tokn` alone where nothing is said.
    public let scope: [String]
    /// The places where it counts, see `Place`; empty: the whole site.
    public let audiences: [String]
    /// First valid second, UNIX time; nil: no limit.
    public let notBefore: Int64?
    /// First second at which it is valid no more, UNIX time; nil: no limit.
    public let expiresAt: Int64?
    /// Whether the site saw the key attested as released only after user verification (V6).
    public let userVerification: Bool

    /// A key of the site data.
    public init(keyIdentifier: [UInt8], key: PublicKey, use: KeyUse, subject: String,
                scope: [String] = [TokenClaims.defaultCommand], audiences: [String] = [],
                notBefore: Int64? = nil, expiresAt: Int64? = nil, userVerification: Bool = false) {
        self.keyIdentifier = keyIdentifier
        self.key = key
        self.use = use
        self.subject = subject
        self.scope = scope
        self.audiences = audiences
        self.notBefore = notBefore
        self.expiresAt = expiresAt
        self.userVerification = userVerification
    }
}

extension EnrolledKey {
    /// The CCS of this key, as the authority hands it to the phone: what CRED_I is when the phone
    /// gives only its `kid`. Deterministic, so that both sides come to the same bytes.
    public var credential: [UInt8] {
        ConfirmedKeyCredential(key: COSEKey(key: key, keyIdentifier: keyIdentifier), subject: subject).raw
    }
}
