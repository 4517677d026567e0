import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import Testing
import VirtualPhone

/// Somebody shows in one role what was made for another.
@Suite("Attack: another's role (V3)") struct RoleAttackTests {
    let site: TestSite
    /// Somebody whom the site knows, and who would like to be a gate.
    let person: SigningKey
    let personToken: Token

    init() throws {
        site = try TestSite()
        person = try SigningKey.generate(.p256)
        personToken = try TestSite.token(for: person.publicKey, by: site.issuer)
    }

    private func claims(_ key: PublicKey, kid: [UInt8]) -> [UInt8] {
        ConfirmedKeyCredential(key: COSEKey(key: key, keyIdentifier: kid), subject: "gates.example").raw
    }

    /// What a person may show to a phone in place of a gate's credential.
    enum Disguise: CaseIterable {
        case tokenByValue, claimsByValue, gatesNameAndOwnClaims, gatesNameAndGatesClaims, gatesClaimsByValue, nameOfNobody
    }

    private func own(_ disguise: Disguise) -> OwnCredential {
        let gate = site.knownGates[0]
        let mine = claims(person.publicKey, kid: gate.keyIdentifier)
        let (identifier, credential): (CredentialIdentifier, [UInt8]) = switch disguise {
        case .tokenByValue: (CredentialIdentifier(token: personToken.raw), personToken.raw)
        case .claimsByValue: (CredentialIdentifier(claims: mine), mine)
        case .gatesNameAndOwnClaims: (CredentialIdentifier(keyIdentifier: gate.keyIdentifier), mine)
        case .gatesNameAndGatesClaims: (CredentialIdentifier(keyIdentifier: gate.keyIdentifier), gate.claims)
        case .gatesClaimsByValue: (CredentialIdentifier(claims: gate.claims), gate.claims)
        case .nameOfNobody: (CredentialIdentifier(keyIdentifier: personToken.identifier.reference), personToken.raw)
        }
        return OwnCredential(identifier: identifier, credential: credential, key: .signing(person))
    }

    @Test(arguments: Disguise.allCases) func aPersonIsNoGate(disguise: Disguise) throws {
        let meeting = try FalseGate.meet(site.tokenPhone(), own(disguise), ead: [FalseGate.context.item])
        #expect(meeting.response == FalseGate.declined)
        #expect(!meeting.isBelieved)
        #expect(meeting.stop != nil)
    }

    /// The same credentials with the gate's own key, so that what stops the others is the key alone.
    @Test func theGatesOwnKeyIsBelieved() throws {
        let gate = site.knownGates[0]
        let own = OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: gate.keyIdentifier), credential: gate.claims, key: .signing(site.gateSigning))
        #expect(try FalseGate.meet(site.tokenPhone(), own, ead: [FalseGate.context.item]).isBelieved)
    }

    /// Who has stolen a gate's key is nobody whom a gate lets in.
    @Test(arguments: [true, false]) func aGateIsNoPerson(byValue: Bool) throws {
        let gate = site.knownGates[0]
        let own = OwnCredential(
            identifier: byValue ? CredentialIdentifier(claims: gate.claims) : CredentialIdentifier(keyIdentifier: gate.keyIdentifier),
            credential: gate.claims, key: .signing(site.gateSigning))
        let meeting = try site.meet(own, ead: [PhoneRequest(carrier: .nfc, lane: TestSite.lane).item])
        #expect(!meeting.isProved)
        #expect(meeting.end?.reason == (byValue ? .wrongRole : .unknownKey))
    }

    /// A phone's own credential comes back to it as the gate's, proved with whatever key.
    @Test(arguments: [true, false]) func aReflectedCredentialIsNotAnswered(signed: Bool) throws {
        let mine = claims(site.phoneSigning.publicKey, kid: [0x0B])
        let identity = PhoneIdentity(
            credential: .token(site.token.raw), key: .signing(site.phoneSigning),
            gates: site.knownGates + [try KnownGate(keyIdentifier: [0x0B], claims: mine)])
        let own = OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: [0x0B]), credential: mine, key: .signing(signed ? site.phoneSigning : person))
        let meeting = try FalseGate.meet(NFCPhone(identity: identity), own, ead: [FalseGate.context.item])
        #expect(meeting.response == FalseGate.declined)
        #expect(!meeting.isBelieved)
    }

    /// What the gate shows of itself comes back to it as a person's credential, with the gate's own proof.
    @Test func aReflectedGateIsRefused() throws {
        let gate = site.knownGates[1]
        let own = OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: gate.keyIdentifier), credential: gate.claims, key: .agreement(site.gateAgreement))
        let meeting = try site.meet(own, ead: [PhoneRequest(carrier: .nfc, lane: TestSite.lane).item], method: .bothAgree)
        #expect(!meeting.isProved)
    }

    /// A token's key signs. With the same number used as an agreement key it proves nothing, nor the other way round.
    @Test(arguments: [true, false]) func aKeyForTheOtherUseProvesNothing(signs: Bool) throws {
        let raw = [UInt8](repeating: 0x23, count: 32)
        let (signing, agreement) = (try SigningKey(rawPrivate: raw, curve: .p256), try AgreementKey(rawPrivate: raw, curve: .p256))
        let token = try TestSite.token(for: signing.publicKey, by: site.issuer, use: signs ? .sign : .agree)
        let own = OwnCredential(
            identifier: CredentialIdentifier(token: token.raw), credential: token.raw,
            key: signs ? .agreement(agreement) : .signing(signing))
        let request = PhoneRequest(carrier: .nfc, lane: TestSite.lane).item
        let meeting = try site.meet(own, ead: [request], method: signs ? .bothAgree : .bothSign)
        #expect(!meeting.isProved)
        #expect(meeting.reason == .wrongKeyUse)
        let right = OwnCredential(
            identifier: own.identifier, credential: token.raw, key: signs ? .signing(signing) : .agreement(agreement))
        #expect(try site.meet(right, ead: [request], method: signs ? .bothSign : .bothAgree).isProved)
    }

    /// A gate whose key is said to sign is not believed when it agrees with the same number.
    @Test func aGatesKeyForTheOtherUseIsNotBelieved() throws {
        let raw = [UInt8](repeating: 0x24, count: 32)
        let key = try SigningKey(rawPrivate: raw, curve: .p256)
        let said = ConfirmedKeyCredential(key: COSEKey(key: key.publicKey, keyIdentifier: [0x0C], use: .sign), subject: "gates.example").raw
        let identity = PhoneIdentity(
            credential: .token(site.token.raw), key: .signing(site.phoneSigning),
            gates: [try KnownGate(keyIdentifier: [0x0C], claims: said)])
        let own = OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: [0x0C]), credential: said,
            key: .agreement(try AgreementKey(rawPrivate: raw, curve: .p256)))
        let meeting = try FalseGate.meet(
            NFCPhone(identity: identity, settings: PhoneSettings(gateSigns: false)), own, ead: [FalseGate.context.item],
            method: .initiatorSigns)
        #expect(meeting.response == FalseGate.declined)
        #expect(!meeting.isBelieved)
    }
}
