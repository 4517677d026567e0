import Conversations
import Credentials
import Cryptography

/// A site with its gate group, its issuer, and whom it knows by key.
struct Site {
    let name: String
    let gateSigning: SigningKey
    let gateAgreement: AgreementKey
    let keys: GateKeys
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
    }

    /// A private key that is always the same, so that a run can be repeated.
    static func raw(_ first: UInt8, _ second: UInt8) -> [UInt8] {
        [UInt8](repeating: first, count: 16) + [UInt8](repeating: second, count: 16)
    }

    func token(_ subject: String, _ key: PublicKey, use: KeyUse, audience: String? = nil, number: UInt8) throws -> Token {
        try Token.issue(
            TokenClaims(issuer: name, subject: subject, audiences: [audience ?? Place.scheme + name], notBefore: Town.begin - 1000,
                        expiresAt: Town.begin + 1_000_000_000, cti: [number, 1, 2, 3], confirmationKey: COSEKey(key: key, use: use)),
            key: issuer)
    }
}
