import Credentials
import Cryptography
import Encoding
import PhoneProtocol

/// The adversary's own things: a good token and an enrolled key, for a place where no gate of these
/// stands, the `kid` of somebody else, and keys of her own.
struct Eve {
    static let name = "evangeline"
    static let place = "tapstile:uptown/-/cellar"
    static let sharedKid: [UInt8] = [0x41, 0x42]

    let signing: SigningKey
    let agreement: AgreementKey
    let token: Token
    let enrolled: EnrolledKey
    let site: Site
    /// Gate tokens that should convince nobody: for her keys, by issuers of something else, or out of their time.
    private let gateTokens: [Bool: [GateToken]]

    init(of site: Site, beside other: Site) throws {
        self.site = site
        signing = try SigningKey(rawPrivate: Site.raw(20, 1), curve: .p256)
        agreement = try AgreementKey(rawPrivate: Site.raw(20, 2), curve: .p256)
        token = try site.token(Self.name, signing.publicKey, use: .sign, audience: Self.place, number: 200)
        enrolled = EnrolledKey(keyIdentifier: Self.sharedKid, key: signing.publicKey, use: .sign, subject: Self.name,
                               audiences: [Self.place], userVerification: true)
        gateTokens = [true: try Self.gateTokens(signing.publicKey, .sign, site, other),
                      false: try Self.gateTokens(agreement.publicKey, .agree, site, other)]
    }

    private static func gateTokens(_ key: PublicKey, _ use: KeyUse, _ site: Site, _ other: Site) throws -> [GateToken] {
        let mine = try SigningKey(rawPrivate: Site.raw(20, 1), curve: .p256)
        return [
            try Site.gateToken(site.name, key, use, by: mine),
            try Site.gateToken(site.name, key, use, by: site.issuer),
            try Site.gateToken(site.name, key, use, by: other.gateIssuer),
            try Site.gateToken(other.name, key, use, by: site.gateIssuer),
            try Site.gateToken(site.name, key, use, by: site.gateIssuer, until: Town.begin - 1)
        ] + site.gateTokens + other.gateTokens
    }

    /// A phone of hers that keeps to the protocol.
    func phone(_ dice: inout Dice) -> NFCPhone {
        let credentials: [PhoneCredential] = [
            .token(token.raw), .tokenReference(token.raw), .keyIdentifier(Self.sharedKid, claims: enrolled.credential)
        ]
        let identity = PhoneIdentity(credential: dice.pick(credentials), key: .signing(signing), gates: site.known)
        return NFCPhone(identity: identity, settings: PhoneSettings(carrier: dice.happens(80) ? .nfc : .ble))
    }

    /// A key of hers that fits a method.
    private func key(signs: Bool) -> AuthenticationKey { signs ? .signing(signing) : .agreement(agreement) }

    /// What she shows to a phone as a gate's credential. None of it is one that she can prove.
    func falseGate(_ dice: inout Dice, for victim: Person, signs: Bool) -> OwnCredential {
        let key = key(signs: signs)
        let home = victim.anyHome(&dice)?.home
        let known = home?.membership.gates ?? site.known
        let gate = known[signs ? 0 : known.count - 1]
        if dice.happens(40), let tokens = gateTokens[signs] {
            let shown = dice.pick(tokens).raw
            return OwnCredential(identifier: CredentialIdentifier(token: shown), credential: shown, key: key)
        }
        let mine = ConfirmedKeyCredential(key: COSEKey(key: key.publicKey, keyIdentifier: gate.keyIdentifier), subject: site.name).raw
        let (identifier, credential): (CredentialIdentifier, [UInt8]) = switch dice.below(7) {
        case 0, 1: (CredentialIdentifier(keyIdentifier: gate.keyIdentifier), gate.claims)
        case 2: (CredentialIdentifier(keyIdentifier: gate.keyIdentifier), mine)
        case 3: (CredentialIdentifier(token: token.raw), token.raw)
        case 4: (CredentialIdentifier(claims: mine), mine)
        case 5: Self.reflection(of: home)
        default: (CredentialIdentifier(claims: gate.claims), gate.claims)
        }
        return OwnCredential(identifier: identifier, credential: credential, key: key)
    }

    private static func reflection(of home: Home?) -> (CredentialIdentifier, [UInt8]) {
        switch home?.membership.credential ?? .claims([0xA0]) {
        case .token(let bytes), .tokenReference(let bytes): (CredentialIdentifier(token: bytes), bytes)
        case .claims(let bytes): (CredentialIdentifier(claims: bytes), bytes)
        case .keyIdentifier(let identifier, let claims): (CredentialIdentifier(keyIdentifier: identifier), claims)
        }
    }

    /// What she shows to a gate as hers: her own, somebody else's, or the gate's.
    func falsePerson(_ dice: inout Dice, instead victim: Person, signs: Bool) -> OwnCredential {
        let key = key(signs: signs)
        let claims = ConfirmedKeyCredential(key: COSEKey(key: key.publicKey), subject: victim.name).raw
        let gate = site.known[0]
        let home = victim.anyHome(&dice)?.home
        let (identifier, credential): (CredentialIdentifier, [UInt8]) = switch dice.below(9) {
        case 0: (CredentialIdentifier(token: token.raw), token.raw)
        case 6: (CredentialIdentifier(token: site.gateTokens[0].raw), site.gateTokens[0].raw)
        case 1: (CredentialIdentifier(token: forged(for: victim)), forged(for: victim))
        case 2: (CredentialIdentifier(claims: claims), claims)
        case 3: (CredentialIdentifier(claims: gate.claims), gate.claims)
        case 4: (CredentialIdentifier(keyIdentifier: gate.keyIdentifier), gate.claims)
        case 5: (CredentialIdentifier(keyIdentifier: Self.sharedKid), enrolled.credential)
        default: Self.reflection(of: home)
        }
        return OwnCredential(identifier: identifier, credential: credential, key: key)
    }

    /// Her token with the person's name and rights in it, and the old signature.
    private func forged(for victim: Person) -> [UInt8] {
        guard let signed = try? COSESign1(parsing: token.raw), let content = try? CBOR.decode(signed.payload), var map = content.map
        else { return token.raw }
        map[2] = .text(victim.name)
        map[3] = .text(Place.scheme + site.name)
        return CBOR.array([
            .bytes(signed.protectedBytes), .map(signed.unprotected), .bytes(CBOR.map(map).encoded), .bytes(signed.signature)
        ]).encoded
    }
}
