import Credentials
import Cryptography
import PhoneProtocol
import Testing
import VirtualPhone

/// A gate is no person: none of its keys opens, whoever vouches for it.
@Suite struct RoleTests {
    let site: TestSite
    let request = PhoneRequest(carrier: .nfc, lane: TestSite.lane)

    init() throws { site = try TestSite() }

    func refused(_ meeting: Meeting) {
        #expect(!meeting.isProved)
        #expect(meeting.reason == .wrongRole)
        #expect(meeting.end == .stopped(.wrongRole, detail: ""))
        #expect(meeting.lastCommand == StrangerTests.uniform)
    }

    /// Somebody who stole the gate's key has the issuer sign a token for it.
    @Test func aTokenForTheGatesKeyIsRefused() throws {
        let token = try TestSite.token(for: site.gateSigning.publicKey, by: site.issuer)
        let own = OwnCredential(
            identifier: CredentialIdentifier(token: token.raw), credential: token.raw, key: .signing(site.gateSigning))
        refused(try site.meet(own, ead: [request.item]))
    }

    @Test func theGatesOwnCredentialIsRefused() throws {
        for gate in [site.knownGates[0], site.knownGates[1]] {
            let signs = gate.key == site.gateSigning.publicKey
            let own = OwnCredential(
                identifier: CredentialIdentifier(claims: gate.claims), credential: gate.claims,
                key: signs ? .signing(site.gateSigning) : .agreement(site.gateAgreement))
            refused(try site.meet(own, ead: [request.item], method: signs ? .bothSign : .responderSigns))
        }
    }

    /// Enrolled by mistake or malice: the proof itself would be good.
    @Test func anEnrolledGateKeyIsRefused() throws {
        let enrolled = TestSite.enrolled(site.gateSigning.publicKey, .sign, kid: [0x09])
        let own = OwnCredential(
            identifier: CredentialIdentifier(claims: enrolled.credential), credential: enrolled.credential,
            key: .signing(site.gateSigning))
        refused(try site.meet(own, ead: [request.item], knowing: { claim in
            claim.presented?.candidates(enrolled: [enrolled]) ?? []
        }))
        let byReference = OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: [0x09]), credential: enrolled.credential,
            key: .signing(site.gateSigning))
        let meeting = try site.meet(byReference, ead: [request.item], knowing: { claim in
            claim.presented?.candidates(enrolled: [enrolled]) ?? []
        })
        #expect(meeting.reason == .wrongRole)
        #expect(meeting.lastCommand == StrangerTests.unknownCredential, "as after any reference")
    }

    /// A token of a person beside the gate's CCS, and the gate's token beside a person's.
    @Test func aGateKeyBesideATokenIsRefused() throws {
        let stolen = EADItem(label: PhoneProtocolProfile.tokenLabel, isCritical: true, value: site.token.raw)
        let own = OwnCredential(
            identifier: CredentialIdentifier(claims: site.knownGates[0].claims), credential: site.knownGates[0].claims,
            key: .signing(site.gateSigning))
        refused(try site.meet(own, ead: [request.item, stolen]))
    }

    /// Keys that the gate had, or will have.
    @Test func aKeyThatIsNotInForceIsAGatesKeyToo() throws {
        let next = try SigningKey.generate(.p256)
        let keys = GateKeys(
            signing: (site.gateSigning, TestSite.gateCredential(site.gateSigning.publicKey, kid: [1])), agreement: nil,
            reserved: [next.publicKey])
        let token = try TestSite.token(for: next.publicKey, by: site.issuer)
        var gate = try site.gate(keys: keys)
        var phone = site.phone(.token(token.raw), .signing(next))
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.refusal == .wrongRole)
        #expect(tap.proof == nil)
        var without = try site.gate()
        var again = site.phone(.token(token.raw), .signing(next))
        #expect(Tap.run(&without, &again, knowing: site.candidates).proof != nil, "else the test shows nothing")
    }
}

/// Gate tokens: a gate that the phone has never seen, and nobody's way in.
@Suite struct GateTokenRoleTests {
    let site: TestSite
    let gateIssuer: SigningKey
    let newKey: SigningKey
    let gateToken: GateToken
    let knownIssuer: KnownGateIssuer

    init() throws {
        site = try TestSite()
        gateIssuer = try SigningKey.generate(.p256)
        newKey = try SigningKey.generate(.p256)
        gateToken = try Self.gateToken(newKey.publicKey, by: gateIssuer)
        knownIssuer = KnownGateIssuer(GateIssuer(site: "house", name: "house-gates", key: gateIssuer.publicKey))
    }

    static func gateToken(_ key: PublicKey, by issuer: SigningKey) throws -> GateToken {
        try GateToken.issue(
            GateTokenClaims(
                issuer: "house-gates", site: "house", notBefore: 1_700_000_000, expiresAt: 1_900_000_000, cti: [1],
                confirmationKey: COSEKey(key: key, use: .sign)),
            key: issuer)
    }

    func phone(time: Int64? = 1_800_000_000, gates: [KnownGate] = []) -> NFCPhone {
        NFCPhone(
            identity: PhoneIdentity(
                credential: .token(site.token.raw), key: .signing(site.phoneSigning), gates: gates, gateIssuers: [knownIssuer]),
            settings: PhoneSettings(time: time))
    }

    func tap(_ token: GateToken, _ key: SigningKey, _ phone: consuming NFCPhone) throws -> (tap: Tap, result: PhoneResult?) {
        var phone = phone
        var gate = try site.gate(keys: GateKeys(signing: (key, GateKeys.Credential(token)), agreement: nil))
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        return (tap, phone.result)
    }

    /// message_2 with a credential by value needs a second command.
    @Test func aGateThatThePhoneHasNeverSeenIsAnswered() throws {
        let (tap, _) = try tap(gateToken, newKey, phone())
        #expect(tap.proof != nil)
        #expect(tap.end == .outcomeTold)
        #expect(tap.commands[1][0] == 0x90)
    }

    @Test func aGateTokenOutOfItsTimeIsNotAnswered() throws {
        for time: Int64 in [1_699_999_999, 1_900_000_000] {
            let (tap, result) = try tap(gateToken, newKey, phone(time: time))
            #expect(tap.claims.isEmpty)
            #expect(result == .stopped(.gateToken(
                time < 1_800_000_000 ? .notYetValid(since: 1_700_000_000) : .expired(at: 1_900_000_000))))
        }
    }

    @Test func aGateTokenOfAnotherIssuerIsNotAnswered() throws {
        let forged = try Self.gateToken(newKey.publicKey, by: try SigningKey.generate(.p256))
        let (tap, result) = try tap(forged, newKey, phone())
        #expect(tap.claims.isEmpty)
        #expect(result == .stopped(.gateToken(.signature)))
    }

    /// The gate token is public: without its key it makes no gate.
    @Test func aStolenGateTokenMakesNoGate() throws {
        let (tap, result) = try tap(gateToken, try SigningKey.generate(.p256), phone())
        #expect(tap.claims.isEmpty)
        #expect(result == .stopped(.exchange(.proofFailed)))
    }

    /// A gate token for the phone's own key, should an issuer ever be made to sign one.
    @Test func aGateTokenForOurOwnKeyIsReflection() throws {
        let mirrored = try Self.gateToken(site.phoneSigning.publicKey, by: gateIssuer)
        let (tap, result) = try tap(mirrored, site.phoneSigning, phone())
        #expect(tap.claims.isEmpty)
        #expect(result == .stopped(.unknownGate))
    }

    /// A person's token shown as a gate's credential, even if the token issuer were the gate issuer too.
    @Test func aPersonsTokenMakesNoGate() throws {
        let person = try SigningKey.generate(.p256)
        let token = try TestSite.token(for: person.publicKey, by: gateIssuer, use: .sign)
        let own = OwnCredential(
            identifier: CredentialIdentifier(token: token.raw), credential: token.raw, key: .signing(person))
        let falseGate = try FalseGateTests()
        let stop = try falseGate.stop(own, ead: [falseGate.context.item], phone: phone())
        #expect(stop == .gateToken(.header))
    }

    /// A gate token shown to a gate, by value and beside a claims set: a stranger's refusal.
    @Test func aGateTokenIsNoPersons() throws {
        let request = PhoneRequest(carrier: .nfc, lane: TestSite.lane).item
        let byValue = OwnCredential(
            identifier: CredentialIdentifier(token: gateToken.raw), credential: gateToken.raw, key: .signing(newKey))
        let claims = ConfirmedKeyCredential(key: COSEKey(key: newKey.publicKey)).raw
        let beside = OwnCredential(identifier: CredentialIdentifier(claims: claims), credential: claims, key: .signing(newKey))
        let item = EADItem(label: PhoneProtocolProfile.tokenLabel, isCritical: true, value: gateToken.raw)
        for (own, ead) in [(byValue, [request]), (beside, [request, item])] {
            let meeting = try site.meet(own, ead: ead)
            #expect(!meeting.isProved)
            #expect(meeting.reason == .wrongRole)
            #expect(meeting.lastCommand == StrangerTests.uniform)
        }
    }
}
