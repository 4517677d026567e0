import Credentials
import Cryptography
import PhoneProtocol
import VirtualPhone

/// The phones of the soak that the site treats in a way of its own. The bundles name them.
struct SoakPhones: Sendable {
    /// How many there are of each kind.
    static let count = 16
    /// 2023: before anybody can run this.
    private static let longAgo: Int64 = 1_700_000_000

    /// Enrolled with a key that agrees (method 3, by `kid`).
    let agreeing: [PhoneIdentity]
    /// Enrolled keys that were revoked.
    let revoked: [PhoneIdentity]
    /// Tokens that were revoked by the issuer's number.
    let revokedTokens: [PhoneIdentity]
    /// Enrolled keys whose time is over.
    let expired: [PhoneIdentity]
    /// Tokens whose time is over.
    let expiredTokens: [PhoneIdentity]
    /// Tokens that the phone names and does not show, until it is asked to.
    let byReference: [PhoneIdentity]
    /// Phones that name an enrolled key and have another.
    let impostors: [PhoneIdentity]
    /// Tokens of an issuer that the site does not know.
    let foreign: [PhoneIdentity]
    /// Keys that nobody enrolled.
    let strangers: [PhoneIdentity]

    init(_ keys: SiteKeys, gates: [KnownGate]) throws {
        let tokens = Tokens(keys: keys, gates: gates)
        let all = 0..<Self.count
        agreeing = try all.map { try Self.agreeing($0).phone(.agreement(Self.agreementKey($0)), gates) }
        revoked = try all.map { try Self.enrolled("revoked key", $0).phone(.signing(Self.key("revoked key", $0)), gates) }
        expired = try all.map { try Self.enrolled("expired key", $0).phone(.signing(Self.key("expired key", $0)), gates) }
        strangers = try all.map { try Self.enrolled("stranger", $0).phone(.signing(Self.key("stranger", $0)), gates) }
        impostors = try all.map { try PhoneBook.enrolledKey($0).phone(.signing(Self.key("impostor", $0)), gates) }
        revokedTokens = try all.map { try tokens.phone("revoked token", $0) }
        expiredTokens = try all.map { try tokens.phone("expired token", $0, until: Self.longAgo) }
        byReference = try all.map { try tokens.phone("reference", $0, isShown: false) }
        foreign = try all.map { try tokens.phone("foreign", $0, issuer: Self.key("foreign issuer", 0)) }
    }

    /// What the bundles say about them beside the others' keys.
    static func enrolledKeys() throws -> [EnrolledKey] {
        try (0..<count).flatMap { index in
            [try agreeing(index), try enrolled("revoked key", index), try enrolled("expired key", index, expiresAt: longAgo)]
        }
    }

    /// What it takes back.
    static func revocations() throws -> [Revocation] {
        try (0..<count).flatMap { index -> [Revocation] in
            [.key(thumbprint: try key("revoked key", index).publicKey.thumbprint),
             .issued(issuer: SiteKeys.site, cti: Tokens.cti("revoked token", index))]
        }
    }

    private static func key(_ kind: String, _ index: Int) throws -> SigningKey {
        try SiteKeys.signing("\(kind) \(index)")
    }

    private static func agreementKey(_ index: Int) throws -> AgreementKey {
        try AgreementKey(rawPrivate: SiteKeys.bytes("agreeing \(index)"), curve: .p256)
    }

    private static func agreeing(_ index: Int) throws -> EnrolledKey {
        let key = try agreementKey(index).publicKey
        return EnrolledKey(keyIdentifier: Array(key.thumbprint.prefix(8)), key: key, use: .agree, subject: "agreeing-\(index)")
    }

    private static func enrolled(_ kind: String, _ index: Int, expiresAt: Int64? = nil) throws -> EnrolledKey {
        let key = try key(kind, index).publicKey
        return EnrolledKey(keyIdentifier: Array(key.thumbprint.prefix(8)), key: key, use: .sign,
                           subject: "\(kind) \(index)", expiresAt: expiresAt)
    }

    /// Tokens for phones.
    private struct Tokens {
        let keys: SiteKeys
        let gates: [KnownGate]

        static func cti(_ kind: String, _ index: Int) -> [UInt8] { Array(SiteKeys.bytes("cti \(kind) \(index)").prefix(8)) }

        func phone(_ kind: String, _ index: Int, until end: Int64 = UnixTime.now + 30 * 86400, isShown: Bool = true,
                   issuer: SigningKey? = nil) throws -> PhoneIdentity {
            let key = try SoakPhones.key(kind, index)
            let claims = TokenClaims(
                issuer: issuer == nil ? SiteKeys.site : "elsewhere", subject: "\(kind) \(index)",
                audiences: ["tapstile:\(SiteKeys.site)"], notBefore: SoakPhones.longAgo - 60, expiresAt: end,
                cti: Self.cti(kind, index), confirmationKey: COSEKey(key: key.publicKey))
            let token = try Token.issue(claims, key: issuer ?? keys.issuer)
            return PhoneIdentity(credential: isShown ? .token(token.raw) : .tokenReference(token.raw),
                                 key: .signing(key), gates: gates)
        }
    }
}

extension EnrolledKey {
    /// A phone that names this key and proves itself with `key`.
    fileprivate func phone(_ key: AuthenticationKey, _ gates: [KnownGate]) -> PhoneIdentity {
        PhoneIdentity(credential: .keyIdentifier(keyIdentifier, claims: credential), key: key, gates: gates)
    }
}
