import Credentials
import Cryptography
import PhoneProtocol
import Testing
import VirtualPhone

/// Whole taps between gate and phone over Bluetooth.
@Suite struct RadioTapTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    /// A tap that must succeed; returns what the gate knows then.
    func succeed(
        _ gate: consuming BluetoothGateConversation, _ phone: consuming BluetoothPhone, knowing: ((Claim) -> [PeerCredential])? = nil
    ) throws -> (tap: RadioTap, proof: Proof) {
        var gate = gate
        var phone = phone
        let outcome = PhoneOutcome(
            result: .granted, reason: .granted, retryAfterMilliseconds: 2000, journalHead: [UInt8](repeating: 9, count: 32))
        let tap = RadioTap.run(&gate, &phone, knowing: knowing ?? site.candidates, sending: outcome)
        let seen = phone.gate
        #expect(tap.end == .outcomeTold)
        #expect(tap.result == .outcome(outcome))
        #expect(seen?.carrier == .ble)
        #expect(tap.offers.allSatisfy { $0 == 0 })
        return (tap, try #require(tap.proof))
    }

    @Test func aTokenByValueIsProvedWithSignatures() throws {
        let (tap, proof) = try succeed(try site.peripheral([.bothSign]), site.tokenCentral())
        #expect(proof.claim.method == .bothSign)
        #expect(proof.claim.presented == .token(site.token))
        #expect(proof.claim.request.carrier == .ble)
        #expect(tap.written.map(\.first) == [0x00, 0x00])
        #expect(tap.read.map(\.first) == [0x00, 0x02])
        #expect(tap.transcripts.count == 1)
        #expect(tap.transcripts.first?.count == 32)
    }

    @Test func anEnrolledKeyIsProvedWithStaticKeys() throws {
        let (_, proof) = try succeed(try site.peripheral([.bothAgree]), site.enrolledCentral())
        #expect(proof.claim.method == .bothAgree)
        #expect(proof.claim.presented == .keyIdentifier([0x2B]))
    }

    @Test(arguments: [true, false], [true, false]) func everyMethodWorks(phoneSigns: Bool, gateSigns: Bool) throws {
        let settings = PhoneSettings(gateSigns: gateSigns, carrier: .ble)
        let phone = phoneSigns
            ? site.central(.token(site.token.raw), .signing(site.phoneSigning), settings)
            : site.central(.token(site.agreementToken.raw), .agreement(site.phoneAgreement), settings)
        let (_, proof) = try succeed(try site.peripheral(), phone)
        #expect(proof.claim.method == EDHOCMethod(initiatorSigns: phoneSigns, responderSigns: gateSigns))
    }

    @Test func aTokenByReferenceIsProvedWhereItIsKnown() throws {
        let (tap, _) = try succeed(
            try site.peripheral(), site.central(.tokenReference(site.token.raw), .signing(site.phoneSigning)),
            knowing: { _ in [PeerCredential(credential: site.token.raw, key: site.phoneSigning.publicKey)] })
        #expect(tap.claims.count == 1)
    }

    /// Unknown reference: EDHOC error 3, and the phone begins again by value on the same link.
    @Test func aReferenceThatIsUnknownIsRepeatedByValue() throws {
        let (tap, proof) = try succeed(
            try site.peripheral(), site.central(.tokenReference(site.token.raw), .signing(site.phoneSigning)))
        #expect(tap.claims.count == 2)
        #expect(tap.transcripts.count == 2)
        #expect(tap.read.map(\.first) == [0x00, 0x01, 0x00, 0x02])
        #expect(tap.read[1] == [0x01, 0x03, 0xF5])
        #expect(proof.claim.presented == .token(site.token))
    }

    @Test func withoutASpareKeyNothingIsRepeated() throws {
        var gate = try site.peripheral(spare: false)
        var phone = site.central(.tokenReference(site.token.raw), .signing(site.phoneSigning))
        let tap = RadioTap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.end == .stopped(.unknownKey, detail: ""))
        #expect(tap.claims.count == 1)
    }

    @Test(arguments: CipherSuite.ofGates) func everySuiteWorks(suite: CipherSuite) throws {
        let (_, proof) = try succeed(try site.peripheral(), site.tokenCentral(PhoneSettings(suites: [suite.rawValue], carrier: .ble)))
        #expect(proof.claim.suite == suite)
    }

    @Test func aSuiteTheGateLacksIsNegotiated() throws {
        let (tap, proof) = try succeed(
            try site.peripheral(suites: [.suite2], spare: false), site.tokenCentral(PhoneSettings(suites: [3, 2], carrier: .ble)))
        #expect(proof.claim.suite == .suite2)
        #expect(tap.read.map(\.first) == [0x01, 0x00, 0x02])
        #expect(tap.read[0] == [0x01, 0x02, 0x02])
    }

    /// Error 2 and error 3 on one link, each followed once.
    @Test func aSuiteIsNegotiatedAndAReferenceRepeatedByValue() throws {
        let phone = site.central(
            .tokenReference(site.token.raw), .signing(site.phoneSigning), PhoneSettings(suites: [3, 2], carrier: .ble))
        let (tap, proof) = try succeed(try site.peripheral(suites: [.suite2]), phone)
        #expect(tap.claims.count == 2)
        #expect(proof.claim.presented == .token(site.token))
    }

    @Test func whatThePhoneWantsArrives() throws {
        let settings = PhoneSettings(
            carrier: .ble, command: "door", trigger: .manual, isForeground: true, isUnlocked: true, canUseNFC: false, language: nil)
        let (_, proof) = try succeed(try site.peripheral(), site.tokenCentral(settings))
        #expect(proof.claim.request == PhoneRequest(
            carrier: .ble, lane: TestSite.lane, namedCommand: "door", trigger: .manual, isForeground: true, isUnlocked: true,
            canUseNFC: false))
    }

    /// Who has not proved itself learns the uniform refusal, whatever the reason.
    @Test func aStrangerLearnsTheUniformRefusal() throws {
        var gate = try site.peripheral()
        let stranger = try SigningKey.generate(.p256)
        var phone = site.central(.token(site.token.raw), .signing(stranger))
        let tap = RadioTap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.refusal == .badProof)
        #expect(tap.end == .stopped(.badProof, detail: ""))
        #expect(tap.read.last == HostileCentralTests.uniform)
        #expect(tap.result == .refused(.unspecified("refused")))
    }

    /// An outcome that nobody has read is not told.
    @Test func anOutcomeIsToldWhenItIsRead() throws {
        var gate = try site.peripheral()
        var phone = site.tokenCentral()
        guard case .write(let first) = phone.start(), case .acceptFinal = gate.write(first), case .read = phone.wrote(),
              let message2 = gate.read(), case .write(let second) = phone.received(message2), case .identify(let claim) = gate.write(second),
              case .proved = gate.resolve(site.candidates(claim))
        else {
            Issue.record("no proof")
            return
        }
        let action = gate.outcome(PhoneOutcome(result: .granted, reason: .granted))
        #expect(action == .finish(.outcomeNotTold(detail: "not-read")))
        let before = gate.end
        #expect(before == .outcomeNotTold(detail: "not-read"))
        let value = gate.read()
        #expect(value?.first == 0x02)
        let after = gate.end
        #expect(after == .outcomeTold)
    }

    /// A gate that shows its credential by value has a longer message_2; it still is one value.
    @Test func aGateByValueFits() throws {
        let gateIssuer = try SigningKey.generate(.p256)
        let token = try GateTokenRoleTests.gateToken(site.gateSigning.publicKey, by: gateIssuer)
        let keys = GateKeys(signing: (site.gateSigning, GateKeys.Credential(token)), agreement: nil)
        let issuer = KnownGateIssuer(GateIssuer(site: "house", name: "house-gates", key: gateIssuer.publicKey))
        let phone = BluetoothPhone(
            identity: PhoneIdentity(
                credential: .token(site.token.raw), key: .signing(site.phoneSigning), gates: [], gateIssuers: [issuer]),
            settings: PhoneSettings(carrier: .ble, time: 1_800_000_000))
        let (tap, _) = try succeed(try site.peripheral(keys: keys), phone)
        #expect((300...PhoneProtocolProfile.maximumValue).contains(tap.read[0].count))
    }

    /// One that does not fit is the gate's own fault, and said to be.
    @Test(arguments: [(367, true), (368, false)]) func aMessage2ThatDoesNotFitIsNotSent(name: Int, fits: Bool) throws {
        let kid = [UInt8](repeating: 0x77, count: name)
        let keys = GateKeys(signing: (site.gateSigning, TestSite.gateCredential(site.gateSigning.publicKey, kid: kid)), agreement: nil)
        var gate = try site.peripheral(keys: keys)
        var phone = site.tokenCentral()
        guard case .write(let first) = phone.start() else { return }
        let action = gate.write(first)
        let value = gate.read()
        if fits {
            #expect(value?.count == PhoneProtocolProfile.maximumValue)
        } else {
            #expect(action == .finish(.stopped(.internalError, detail: "message-2-too-long")))
            #expect(value == HostileCentralTests.uniform)
        }
    }
}
