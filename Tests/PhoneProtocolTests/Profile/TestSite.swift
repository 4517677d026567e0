import Credentials
import Cryptography
import PhoneProtocol
import VirtualPhone

/// A site with one gate group, one issuer and one person, made anew for every test.
struct TestSite {
    let gateSigning: SigningKey
    let gateAgreement: AgreementKey
    let gateKeys: GateKeys
    let knownGates: [KnownGate]
    let issuer: SigningKey
    let phoneSigning: SigningKey
    let phoneAgreement: AgreementKey
    let token: Token
    let agreementToken: Token
    let enrolledSigning: EnrolledKey
    let enrolledAgreement: EnrolledKey

    static let lane = "main"

    init() throws {
        gateSigning = try SigningKey.generate(.p256)
        gateAgreement = try AgreementKey.generate(.p256)
        let signing = Self.gateCredential(gateSigning.publicKey, kid: [0x01])
        let agreement = Self.gateCredential(gateAgreement.publicKey, kid: [0x02])
        gateKeys = GateKeys(signing: (gateSigning, signing), agreement: (gateAgreement, agreement))
        knownGates = try [signing, agreement].map { try KnownGate(claims: $0.bytes) }
        issuer = try SigningKey.generate(.p256)
        phoneSigning = try SigningKey.generate(.p256)
        phoneAgreement = try AgreementKey.generate(.p256)
        token = try Self.token(for: phoneSigning.publicKey, by: issuer)
        agreementToken = try Self.token(for: phoneAgreement.publicKey, by: issuer)
        enrolledSigning = Self.enrolled(phoneSigning.publicKey, .sign, kid: [0x41, 0x42, 0x43])
        enrolledAgreement = Self.enrolled(phoneAgreement.publicKey, .agree, kid: [0x2B])
    }

    static func gateCredential(_ key: PublicKey, kid: [UInt8]) -> GateKeys.Credential {
        let claims = ConfirmedKeyCredential(key: COSEKey(key: key, keyIdentifier: kid), subject: "gates.example")
        return GateKeys.Credential(keyIdentifier: kid, claims: claims.raw)
    }

    static func token(for key: PublicKey, by issuer: SigningKey, use: KeyUse? = nil) throws -> Token {
        try Token.issue(
            TokenClaims(
                issuer: "example", subject: "u4711", audiences: ["house"], notBefore: 1_700_000_000,
                expiresAt: 1_900_000_000, cti: [0, 0, 0, 1], confirmationKey: COSEKey(key: key, use: use)),
            key: issuer)
    }

    static func enrolled(_ key: PublicKey, _ use: KeyUse, kid: [UInt8]) -> EnrolledKey {
        EnrolledKey(keyIdentifier: kid, key: key, use: use, subject: "u4712")
    }

    /// A gate on lane "main" that allows the methods.
    func gate(
        _ methods: [EDHOCMethod] = EDHOCMethod.allCases, keys: GateKeys? = nil, lane: String = TestSite.lane,
        carrier: Carrier = .nfc, suites: [CipherSuite] = CipherSuite.ofGates, spare: Bool = true
    ) throws -> NFCGateConversation {
        let offer = try GateOffer(
            gateIdentifier: "gate-1", lane: lane, carrier: carrier, methods: methods, suites: suites)
        return NFCGateConversation(
            offer: offer.at(time: 1_800_000_000, cacheGeneration: 7), keys: keys ?? gateKeys,
            ephemeral: try EphemeralKey.generateOnBothCurves(),
            spare: spare ? try EphemeralKey.generateOnBothCurves() : nil)
    }

    /// A phone that signs and brings its token by value.
    func tokenPhone(_ settings: PhoneSettings = PhoneSettings()) -> NFCPhone {
        phone(.token(token.raw), .signing(phoneSigning), settings)
    }

    /// A phone that agrees and is enrolled.
    func enrolledPhone(_ settings: PhoneSettings = PhoneSettings(gateSigns: false)) -> NFCPhone {
        phone(
            .keyIdentifier(enrolledAgreement.keyIdentifier, claims: enrolledAgreement.credential),
            .agreement(phoneAgreement), settings)
    }

    func phone(
        _ credential: PhoneCredential, _ key: AuthenticationKey, _ settings: PhoneSettings = PhoneSettings(),
        token: [UInt8]? = nil
    ) -> NFCPhone {
        NFCPhone(
            identity: PhoneIdentity(credential: credential, key: key, accompanyingToken: token, gates: knownGates),
            settings: settings)
    }

    /// Whom this site knows by a claim.
    func candidates(_ claim: Claim) -> [PeerCredential] {
        guard let presented = claim.presented else { return [] }
        return presented.candidates(enrolled: enrolled(presented))
    }

    private func enrolled(_ presented: PresentedCredential) -> [EnrolledKey] {
        let all = [enrolledSigning, enrolledAgreement]
        switch presented {
        case .token, .tokenBesideKey, .tokenBesideReference: return []
        case .keyIdentifier(let identifier): return all.filter { $0.keyIdentifier == identifier }
        case .key(let claims): return all.filter { $0.key == claims.key.key }
        }
    }
}
