import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import Testing
import VirtualPhone

/// Gates that are not what they say: the phone keeps to itself who it is.
@Suite struct FalseGateTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    /// Lets a phone meet a gate whose message_2 is made like this; the phone must stop without message_3.
    func stop(
        _ own: OwnCredential, ead: [EADItem], phone: consuming NFCPhone, method: EDHOCMethod = .bothSign,
        connectionIdentifier: [UInt8] = [0]
    ) throws -> PhoneStop? {
        var phone = phone
        var responder = EDHOCResponder(
            methods: [method], suites: [.suite2], connectionIdentifier: connectionIdentifier, ephemeral: try EphemeralKey.generate(for: .suite2))
        let answer = try ResponseAPDU(parsing: phone.receive(Self.select))
        _ = try responder.receiveMessage1(try #require(SelectAnswer(parsing: answer.data)).message1)
        let message2 = try responder.makeMessage2(own, ead: ead)
        let response = phone.receive(CommandAPDU(cla: 0x80, ins: 0xE2, data: message2, expectedLength: 256).encoded)
        let result = phone.result
        guard case .stopped(let stop) = result else { return nil }
        #expect(response == [0x69, 0x85], "the one status word for everything")
        return stop
    }

    static let select: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x09] + PhoneProtocolProfile.applicationIdentifier + [0x00]

    var context: GateContext {
        GateContext(
            gateIdentifier: "gate-1", lane: TestSite.lane, carrier: .nfc, mode: .onTouch, time: 0, cacheGeneration: 0,
            wantsSecondFactor: false)
    }

    func gateOwn(_ key: SigningKey, claims: [UInt8]? = nil, kid: [UInt8] = [0x01]) -> OwnCredential {
        OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: kid), credential: claims ?? site.knownGates[0].claims,
            key: .signing(key))
    }

    @Test func theTrueGateIsAnswered() throws {
        #expect(try stop(gateOwn(site.gateSigning), ead: [context.item], phone: site.tokenPhone()) == nil)
    }

    @Test func aGateWithAnotherKeyIsNotAnswered() throws {
        #expect(try stop(gateOwn(try SigningKey.generate(.p256)), ead: [context.item], phone: site.tokenPhone())
            == .exchange(.proofFailed))
    }

    @Test func aGateOfAnotherNameIsNotAnswered() throws {
        #expect(try stop(gateOwn(site.gateSigning, kid: [0x0A]), ead: [context.item], phone: site.tokenPhone())
            == .unknownGate)
    }

    /// Neither a person's token nor a credential by value makes a gate.
    @Test func aPersonIsNoGate() throws {
        let own = OwnCredential(
            identifier: CredentialIdentifier(token: site.token.raw), credential: site.token.raw,
            key: .signing(site.phoneSigning))
        #expect(try stop(own, ead: [context.item], phone: site.tokenPhone()) == .unknownGate)
    }

    /// The phone's own key is no gate's key, even if somebody put it among the gates.
    @Test func thePhoneItselfIsNoGate() throws {
        let mirrored = TestSite.gateCredential(site.phoneSigning.publicKey, kid: [0x0B])
        let identity = PhoneIdentity(
            credential: .token(site.token.raw), key: .signing(site.phoneSigning),
            gates: [try KnownGate(claims: mirrored.bytes)])
        let own = gateOwn(site.phoneSigning, claims: mirrored.bytes, kid: [0x0B])
        #expect(try stop(own, ead: [context.item], phone: NFCPhone(identity: identity)) == .unknownGate)
    }

    @Test func aGateThatSaysNothingOrTooMuchOfItselfIsNotAnswered() throws {
        let own = gateOwn(site.gateSigning)
        #expect(try stop(own, ead: [], phone: site.tokenPhone()) == .context)
        #expect(try stop(own, ead: [context.item, context.item], phone: site.tokenPhone()) == .context)
        let unknown = EADItem(label: 4711, isCritical: true, value: [])
        #expect(try stop(own, ead: [context.item, unknown], phone: site.tokenPhone()) == .context)
        let notCritical = EADItem(label: PhoneProtocolProfile.gateContextLabel, isCritical: false, value: context.item.value)
        #expect(try stop(own, ead: [notCritical], phone: site.tokenPhone()) == .context)
        let garbage = EADItem(label: PhoneProtocolProfile.gateContextLabel, isCritical: true, value: [0x81, 0x01])
        #expect(try stop(own, ead: [garbage], phone: site.tokenPhone()) == .context)
    }

    /// What a later version may add without harm, and padding.
    @Test func itemsThatMayBeIgnoredAre() throws {
        let unknown = EADItem(label: 4711, isCritical: false, value: [1, 2, 3])
        let bare = EADItem(label: 4712, isCritical: false, value: nil)
        let padding = EADItem(label: EADItem.paddingLabel, isCritical: false, value: [7, 7])
        let stop = try stop(
            gateOwn(site.gateSigning), ead: [padding, unknown, context.item, bare, padding], phone: site.tokenPhone())
        #expect(stop == nil)
    }

    /// Error 2 answers message_1 and error 3 message_3; at another time neither makes the phone begin again.
    @Test func anErrorOutOfItsTimeMeansNothing() throws {
        func answer(_ error: EDHOCErrorMessage, afterMessage3: Bool) throws -> [UInt8] {
            var phone = site.phone(.tokenReference(site.token.raw), .signing(site.phoneSigning), PhoneSettings(suites: [2, 3]))
            var gate = try site.gate()
            guard case .send(let select) = gate.start(),
                  case .sendFinal(let exchange, _) = gate.receive(phone.receive(select)) else { return [] }
            if afterMessage3 { _ = phone.receive(exchange) }
            return phone.receive(
                CommandAPDU(cla: 0x80, ins: 0xE2, p1: 0x01, data: error.encoded, expectedLength: 256).encoded)
        }
        #expect(try answer(.unknownCredential, afterMessage3: false) == [0x90, 0x00])
        #expect(try answer(.wrongSuite([3]), afterMessage3: true) == [0x90, 0x00])
        #expect(try answer(.unknownCredential, afterMessage3: true).count > 32)
        #expect(try answer(.wrongSuite([3]), afterMessage3: false).count > 32)
    }

    @Test func anotherCarrierIsNotAnswered() throws {
        var elsewhere = context
        elsewhere.carrier = .ble
        #expect(try stop(gateOwn(site.gateSigning), ead: [elsewhere.item], phone: site.tokenPhone()) == .carrier)
    }

    @Test func anotherVersionIsNotAnswered() throws {
        var later = context
        later.version = 2
        #expect(try stop(gateOwn(site.gateSigning), ead: [later.item], phone: site.tokenPhone()) == .version(2))
    }

    @Test func theGateLearnsOnlyThatThePhoneDeclined() throws {
        var gate = try site.gate(carrier: .ble)
        var phone = site.tokenPhone()
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.end == .stopped(.phoneDeclined, detail: "6985"))
    }

    /// A key that agrees must not sign for the gate either.
    @Test func aGateKeyForTheOtherPurposeIsNotAnswered() throws {
        let raw = [UInt8](repeating: 0x22, count: 32)
        let key = try AgreementKey(rawPrivate: raw, curve: .p256)
        let claims = ConfirmedKeyCredential(key: COSEKey(key: key.publicKey, keyIdentifier: [3], use: .agree)).raw
        let identity = PhoneIdentity(
            credential: .token(site.token.raw), key: .signing(site.phoneSigning),
            gates: [try KnownGate(keyIdentifier: [3], claims: claims)])
        let own = gateOwn(try SigningKey(rawPrivate: raw, curve: .p256), claims: claims, kid: [3])
        #expect(try stop(own, ead: [context.item], phone: NFCPhone(identity: identity))
            == .exchange(.keyDoesNotFit))
    }
}
