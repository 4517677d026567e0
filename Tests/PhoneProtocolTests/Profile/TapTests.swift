import Credentials
import Cryptography
import PhoneProtocol
import Testing
import VirtualPhone

/// Whole taps between gate and phone.
@Suite struct TapTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    /// A tap that must succeed; returns what the gate knows then.
    func succeed(_ gate: consuming NFCGateConversation, _ phone: consuming NFCPhone) throws -> (tap: Tap, proof: Proof) {
        var gate = gate
        var phone = phone
        let outcome = PhoneOutcome(
            result: .granted, reason: .granted, retryAfterMilliseconds: 2000, journalHead: [UInt8](repeating: 9, count: 32))
        let tap = Tap.run(&gate, &phone, knowing: site.candidates, sending: outcome)
        let (proof, result, seen) = (tap.proof, phone.result, phone.gate)
        #expect(tap.end == .outcomeTold)
        #expect(result == .outcome(outcome))
        #expect(seen?.lane == TestSite.lane)
        return (tap, try #require(proof))
    }

    @Test func aTokenByValueIsProvedWithSignatures() throws {
        let (tap, proof) = try succeed(try site.gate([.bothSign]), site.tokenPhone())
        #expect(proof.claim.method == .bothSign)
        #expect(proof.claim.suite == .suite2)
        #expect(proof.claim.presented == .token(site.token))
        #expect(proof.claim.request.command == "tokn")
        #expect(proof.claim.request.canUseNFC)
        #expect(proof.transcript.count == 32)
        #expect(tap.transcripts.count == 1)
        #expect(tap.transcripts[0] != proof.transcript)
    }

    @Test func anEnrolledKeyIsProvedWithStaticKeys() throws {
        let (_, proof) = try succeed(try site.gate([.bothAgree]), site.enrolledPhone())
        #expect(proof.claim.method == .bothAgree)
        #expect(proof.claim.presented == .keyIdentifier([0x2B]))
    }

    @Test func anEnrolledKeyIsProvedByItsClaimsSet() throws {
        let phone = site.phone(
            .claims(site.enrolledAgreement.credential), .agreement(site.phoneAgreement), PhoneSettings(gateSigns: false))
        let (_, proof) = try succeed(try site.gate([.bothAgree]), phone)
        let shown = try ConfirmedKeyCredential(parsing: site.enrolledAgreement.credential)
        #expect(proof.claim.presented == .key(shown))
    }

    @Test(arguments: [true, false], [true, false]) func everyMethodWorks(phoneSigns: Bool, gateSigns: Bool) throws {
        let phone = phoneSigns
            ? site.phone(.token(site.token.raw), .signing(site.phoneSigning), PhoneSettings(gateSigns: gateSigns))
            : site.phone(
                .token(site.agreementToken.raw), .agreement(site.phoneAgreement), PhoneSettings(gateSigns: gateSigns))
        let (_, proof) = try succeed(try site.gate(), phone)
        #expect(proof.claim.method == EDHOCMethod(initiatorSigns: phoneSigns, responderSigns: gateSigns))
    }

    @Test(arguments: CipherSuite.ofGates) func everySuiteWorks(suite: CipherSuite) throws {
        let (tap, proof) = try succeed(try site.gate(), site.tokenPhone(PhoneSettings(suites: [suite.rawValue])))
        #expect(proof.claim.suite == suite)
        #expect(tap.transcripts.count == 1, "it is had at once")
    }

    /// A phone is served in whatever suite it has, and once it has been told which there are.
    @Test(arguments: CipherSuite.ofGates) func everySuiteIsNegotiated(suite: CipherSuite) throws {
        let phone = site.phone(
            .tokenReference(site.token.raw), .signing(site.phoneSigning), PhoneSettings(suites: [0, suite.rawValue]))
        let (_, proof) = try succeed(try site.gate(), phone)
        #expect(proof.claim.suite == suite)
    }

    /// Keys that agree do so on P-256: such a phone hears that suite 6 is not to be had, and takes its next.
    @Test func aPhoneThatAgreesIsNotGivenSuite6() throws {
        let (_, proof) = try succeed(try site.gate([.bothAgree]), site.enrolledPhone(PhoneSettings(gateSigns: false, suites: [6, 5])))
        #expect(proof.claim.suite == .suite5)
    }

    @Test func anOfferHasASuiteThatItsMethodsCanHave() throws {
        #expect(throws: GateOfferError.noSuite) {
            try GateOffer(gateIdentifier: "g", lane: "l", carrier: .nfc, methods: [.responderSigns, .bothAgree], suites: [.suite6])
        }
        _ = try GateOffer(gateIdentifier: "g", lane: "l", carrier: .nfc, methods: [.bothAgree, .bothSign], suites: [.suite6])
        _ = try GateOffer(gateIdentifier: "g", lane: "l", carrier: .nfc, methods: [.bothAgree], suites: [.suite5])
    }

    @Test func aTokenBesideAClaimsSetIsProved() throws {
        let claims = ConfirmedKeyCredential(key: COSEKey(key: site.phoneSigning.publicKey), subject: "whoever").raw
        let phone = site.phone(.claims(claims), .signing(site.phoneSigning), token: site.token.raw)
        let (_, proof) = try succeed(try site.gate(), phone)
        let shown = try ConfirmedKeyCredential(parsing: claims)
        #expect(proof.claim.presented == .tokenBesideKey(site.token, shown))
    }

    @Test func aTokenBesideAReferenceIsProved() throws {
        let confirmed = COSEKey(key: site.phoneSigning.publicKey, keyIdentifier: [0x07])
        let claims = ConfirmedKeyCredential(key: confirmed, subject: site.token.claims.subject).raw
        let phone = site.phone(.keyIdentifier([0x07], claims: claims), .signing(site.phoneSigning), token: site.token.raw)
        let (_, proof) = try succeed(try site.gate(), phone)
        #expect(proof.claim.presented == .tokenBesideReference(site.token, [0x07]))
    }

    @Test func aTokenByReferenceIsProvedWhereItIsKnown() throws {
        var phone = site.phone(.tokenReference(site.token.raw), .signing(site.phoneSigning))
        var gate = try site.gate()
        let tap = Tap.run(&gate, &phone, knowing: { claim in
            guard claim.presented == .keyIdentifier(site.token.identifier.reference) else { return [] }
            return [PeerCredential(credential: site.token.raw, key: site.phoneSigning.publicKey)]
        })
        #expect(tap.proof != nil)
        #expect(tap.claims.count == 1)
    }

    /// Unknown reference: EDHOC error 3, and the phone begins again by value in the same presentation.
    @Test func aReferenceThatIsUnknownIsRepeatedByValue() throws {
        let (tap, proof) = try succeed(
            try site.gate(), site.phone(.tokenReference(site.token.raw), .signing(site.phoneSigning)))
        #expect(tap.claims.count == 2)
        #expect(tap.transcripts.count == 2)
        #expect(proof.claim.presented == .token(site.token))
    }

    @Test func withoutASpareKeyNothingIsRepeated() throws {
        var gate = try site.gate(spare: false)
        var phone = site.phone(.tokenReference(site.token.raw), .signing(site.phoneSigning))
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.end == .stopped(.unknownKey, detail: ""))
        #expect(tap.claims.count == 1)
    }

    /// Error 2 and error 3 in one presentation, each followed once.
    @Test func aSuiteIsNegotiatedAndAReferenceRepeatedByValue() throws {
        let phone = site.phone(.tokenReference(site.token.raw), .signing(site.phoneSigning), PhoneSettings(suites: [3, 2]))
        let (tap, proof) = try succeed(try site.gate(suites: [.suite2]), phone)
        #expect(tap.claims.count == 2)
        #expect(proof.claim.suite == .suite2)
        #expect(proof.claim.presented == .token(site.token))
    }

    /// The key of the refused exchange was not used, so that the spare one is left for error 3.
    @Test func negotiationNeedsNoSpareKey() throws {
        let (_, proof) = try succeed(
            try site.gate(suites: [.suite2], spare: false), site.tokenPhone(PhoneSettings(suites: [3, 2])))
        #expect(proof.claim.suite == .suite2)
    }

    /// A phone that goes on asking for what it cannot have is served no further.
    @Test func eachErrorInvitesOnce() throws {
        let first = try RawPhone(gates: site.gatePeers, suites: [3])
        var gate = try site.gate(suites: [.suite2])
        _ = gate.start()
        guard case .send(let error) = gate.receive(first.selectAnswer) else {
            Issue.record("no error 2")
            return
        }
        #expect(error == [0x80, 0xE2, 0x01, 0x00, 0x02, 0x02, 0x02, 0x00])
        guard case .send(let again) = gate.receive(first.message1 + [0x90, 0x00]) else {
            Issue.record("no second error 2")
            return
        }
        #expect(again == error)
        #expect(gate.receive(first.message1 + [0x90, 0x00]) == .finish(.stopped(.protocolVersion, detail: "edhoc-wrong-suite")))
    }

    @Test func aSuiteTheGateLacksIsNegotiated() throws {
        let phone = site.tokenPhone(PhoneSettings(suites: [3, 2]))
        let (tap, proof) = try succeed(try site.gate(suites: [.suite2]), phone)
        #expect(proof.claim.suite == .suite2)
        #expect(tap.commands.count == 5)
    }

    /// Its command among it (T10).
    @Test func whatThePhoneWantsArrives() throws {
        let settings = PhoneSettings(
            command: "door", trigger: .manual, isForeground: true, canUseNFC: false, language: "de-AT")
        let (_, proof) = try succeed(try site.gate(), site.tokenPhone(settings))
        #expect(proof.claim.request == PhoneRequest(
            carrier: .nfc, lane: TestSite.lane, namedCommand: "door", trigger: .manual, isForeground: true,
            canUseNFC: false, language: "de-AT"))
    }

    /// Any C_I of a phone, and whatever C_R a gate chooses.
    @Test(arguments: HandshakeTests.identifiers) func everyConnectionIdentifierIsTaken(identifier: [UInt8]) throws {
        _ = try succeed(try site.gate(), site.tokenPhone(PhoneSettings(connectionIdentifier: identifier)))
        let falseGate = try FalseGateTests()
        let answered = try falseGate.stop(
            falseGate.gateOwn(falseGate.site.gateSigning), ead: [falseGate.context.item], phone: falseGate.site.tokenPhone(),
            connectionIdentifier: identifier)
        #expect(answered == nil)
    }

    @Test func aPhoneMayBeAskedAgainWithoutSelect() throws {
        var phone = site.tokenPhone()
        var first = try site.gate()
        _ = Tap.run(&first, &phone, knowing: site.candidates)
        var second = try site.gate()
        guard case .send(let command) = second.start(alreadySelected: true),
              case .sendFinal(let exchange, _) = second.receive(phone.receive(command)),
              case .send(let more) = second.receive(phone.receive(exchange)),
              case .identify(let claim) = second.receive(phone.receive(more)),
              case .proved = second.resolve(site.candidates(claim))
        else {
            Issue.record("the second conversation was not proved")
            return
        }
    }
}
