import Credentials
import Cryptography
import PhoneProtocol

/// A site with its gate group, its issuer, and whom it knows by key.
struct Site {
    let name: String
    let gateSigning: SigningKey
    let gateAgreement: AgreementKey
    /// Gates that show their group's credential by reference, and gates with a token of their own.
    let keys: GateKeys
    let keysByValue: GateKeys
    let gateTokens: [GateToken]
    let gateIssuer: SigningKey
    let knownIssuer: KnownGateIssuer
    /// What phones of this site know its gates by.
    let known: [KnownGate]
    let issuer: SigningKey
    var enrolled: [EnrolledKey] = []
    /// Where its gates stand.
    let places: [(lane: String, carrier: Carrier)]

    init(_ name: String, number: UInt8, places: [(lane: String, carrier: Carrier)]) throws {
        self.name = name
        self.places = places
        gateSigning = try SigningKey(rawPrivate: Self.raw(number, 1), curve: .p256)
        gateAgreement = try AgreementKey(rawPrivate: Self.raw(number, 2), curve: .p256)
        issuer = try SigningKey(rawPrivate: Self.raw(number, 3), curve: .p256)
        let credentials = [gateSigning.publicKey, gateAgreement.publicKey].map { GateCredential(site: name, key: $0) }
        known = try credentials.map { try KnownGate(keyIdentifier: $0.keyIdentifier, claims: $0.claims) }
        let shown = credentials.map { GateKeys.Credential(keyIdentifier: $0.keyIdentifier, claims: $0.claims) }
        keys = GateKeys(signing: (gateSigning, shown[0]), agreement: (gateAgreement, shown[1]))
        gateIssuer = try SigningKey(rawPrivate: Self.raw(number, 4), curve: .p256)
        knownIssuer = KnownGateIssuer(GateIssuer(site: name, name: Self.gateIssuerName, key: gateIssuer.publicKey))
        gateTokens = [try Self.gateToken(name, gateSigning.publicKey, .sign, by: gateIssuer),
                      try Self.gateToken(name, gateAgreement.publicKey, .agree, by: gateIssuer)]
        keysByValue = GateKeys(signing: (gateSigning, .init(gateTokens[0])), agreement: (gateAgreement, .init(gateTokens[1])))
    }

    private static let gateIssuerName = "gates"

    /// A gate's own token, as a gate issuer of that key would make it.
    static func gateToken(
        _ site: String, _ key: PublicKey, _ use: KeyUse, by issuer: SigningKey, until expiry: Int64 = Town.begin + 1_000_000
    ) throws -> GateToken {
        try GateToken.issue(
            GateTokenClaims(issuer: gateIssuerName, site: site, notBefore: Town.begin - 1_000_000, expiresAt: expiry, cti: [1],
                            confirmationKey: COSEKey(key: key, use: use)),
            key: issuer)
    }

    /// A private key that is always the same, so that a run can be repeated.
    static func raw(_ first: UInt8, _ second: UInt8) -> [UInt8] {
        [UInt8](repeating: first, count: 16) + [UInt8](repeating: second, count: 16)
    }

    func token(_ subject: String, _ key: PublicKey, use: KeyUse, audience: String? = nil, number: UInt8, attested: Bool = false) throws -> Token {
        try Token.issue(
            TokenClaims(issuer: name, subject: subject, audiences: [audience ?? Place.scheme + name], notBefore: Town.begin - 1000,
                        expiresAt: Town.begin + 1_000_000_000, cti: [number, 1, 2, 3], confirmationKey: COSEKey(key: key, use: use),
                        userVerification: attested),
            key: issuer)
    }
}
