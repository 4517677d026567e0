import Credentials
import Cryptography
import PhoneProtocol
import Service
import VirtualPhone

/// The people whose phones are presented: half bring a token, by value or by reference, half have an
/// enrolled key and give its `kid`.
struct PhoneBook: Sendable {
    /// How many there are of each kind.
    static let count = 256

    /// Phones with a token (method 0, by value).
    let byValue: [PhoneIdentity]
    /// The same phones, which name their token once the gate knows it (method 0, by reference).
    let byReference: [PhoneIdentity]
    /// Phones with an enrolled key (method 0, by `kid`).
    let enrolled: [PhoneIdentity]
    /// The gate's credentials, as all of them know them.
    let gates: [KnownGate]

    init(_ keys: SiteKeys) throws {
        gates = try [keys.gateSigning.publicKey, keys.gateAgreement.publicKey].map { key in
            let credential = GateCredential(site: SiteKeys.site, key: key)
            return try KnownGate(keyIdentifier: credential.keyIdentifier, claims: credential.claims)
        }
        let now = UnixTime.now
        let gates = self.gates
        let tokens = try (0..<Self.count).map { index in
            let key = try SiteKeys.signing("token \(index)")
            let claims = TokenClaims(
                issuer: SiteKeys.site, subject: "visitor-\(index)", audiences: ["tapstile:\(SiteKeys.site)"],
                notBefore: now - 60, expiresAt: now + 86400, cti: Array(SiteKeys.bytes("cti \(index)").prefix(8)),
                confirmationKey: COSEKey(key: key.publicKey))
            let token = try Token.issue(claims, key: keys.issuer)
            return (raw: token.raw, key: key)
        }
        byValue = tokens.map { PhoneIdentity(credential: .token($0.raw), key: .signing($0.key), gates: gates) }
        byReference = tokens.map { PhoneIdentity(credential: .tokenReference($0.raw), key: .signing($0.key), gates: gates) }
        enrolled = try (0..<Self.count).map { index in
            let known = try Self.enrolledKey(index)
            return PhoneIdentity(credential: .keyIdentifier(known.keyIdentifier, claims: known.credential),
                                 key: .signing(try SiteKeys.signing("enrolled \(index)")), gates: gates)
        }
    }

    /// What the bundles say about an enrolled phone.
    static func enrolledKey(_ index: Int) throws -> EnrolledKey {
        let key = try SiteKeys.signing("enrolled \(index)").publicKey
        return EnrolledKey(keyIdentifier: Array(key.thumbprint.prefix(8)), key: key, use: .sign, subject: "member-\(index)")
    }
}
