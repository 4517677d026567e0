import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import SeededNumbers
import Testing
import VirtualPhone

/// The phone over Bluetooth: what it says, to whom, and when it stops.
@Suite struct BluetoothPhoneTests {
    let gateKey: SigningKey
    let gate: GateCredential
    let identity: PhoneIdentity

    init() throws {
        gateKey = try SigningKey.generate(.p256)
        gate = GateCredential(site: "example", key: gateKey.publicKey)
        let key = try SigningKey.generate(.p256)
        let claims = ConfirmedKeyCredential(key: COSEKey(key: key.publicKey, keyIdentifier: [0x41])).raw
        identity = PhoneIdentity(
            credential: .keyIdentifier([0x41], claims: claims), key: .signing(key),
            gates: [try KnownGate(keyIdentifier: gate.keyIdentifier, claims: gate.claims)])
    }

    private func phone(_ settings: PhoneSettings = PhoneSettings(carrier: .ble)) -> BluetoothPhone {
        BluetoothPhone(identity: identity, settings: settings)
    }

    /// The true gate's message_2, or one that says something else in EAD_2.
    private func message2(
        answering value: [UInt8], carrier: Carrier = .ble, version: Int = PhoneProtocolProfile.version, signedBy key: SigningKey? = nil
    ) throws -> [UInt8] {
        var responder = EDHOCResponder(
            methods: [.bothSign], suites: CipherSuite.ofGates, connectionIdentifier: [0x00],
            ephemeral: try EphemeralKey.generateOnBothCurves())
        _ = try responder.receiveMessage1(Array(value.dropFirst()))
        let own = OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: gate.keyIdentifier), credential: gate.claims, key: .signing(key ?? gateKey))
        let context = GateContext(
            version: version, gateIdentifier: "g", lane: "main", carrier: carrier, mode: .onTouch, time: 0, cacheGeneration: 1,
            wantsSecondFactor: false)
        return Frame(.message, try responder.makeMessage2(own, ead: [context.item])).encoded
    }

    /// What a phone wrote first.
    private static func start(_ phone: inout BluetoothPhone) -> [UInt8] {
        guard case .write(let value) = phone.start(), case .read = phone.wrote() else {
            Issue.record("no message_1")
            return []
        }
        return value
    }

    @Test func itWritesMessage1AndReads() throws {
        var phone = phone()
        let first = Self.start(&phone)
        #expect(first.first == 0x00)
        #expect(first.count == 38)
        #expect(Self.start(&phone) != first, "a fresh ephemeral key each time")
        let (steps, result, gate) = (phone.steps, phone.result, phone.gate)
        #expect(steps.isEmpty && result == nil && gate == nil)
    }

    @Test(arguments: CipherSuite.ofGates) func itAnswersTheGateItKnows(suite: CipherSuite) throws {
        var phone = phone(PhoneSettings(suites: [suite.rawValue], carrier: .ble))
        let first = Self.start(&phone)
        let second = try message2(answering: first)
        guard case .write(let third) = phone.received(second), case .read = phone.wrote() else {
            Issue.record("no message_3")
            return
        }
        #expect(third.first == 0x00)
        #expect(third.count > 60)
        let (steps, seen) = (phone.steps, phone.gate)
        #expect(steps.map(\.command) == [first])
        #expect(steps.map(\.response) == [second])
        #expect(seen?.lane == "main")
    }

    /// Whatever is wrong with the gate, it hears the same word, and nothing of who the phone is.
    enum Fault: CaseIterable {
        case anotherKey, anotherCarrier, anotherVersion, noise, nothing, tooLong, unknownKind, outcomeTooSoon

        var stop: PhoneStop {
            switch self {
            case .anotherKey: .exchange(.proofFailed)
            case .anotherCarrier: .carrier
            case .anotherVersion: .version(2)
            case .noise: .exchange(.malformed("message"))
            case .nothing, .tooLong, .unknownKind, .outcomeTooSoon: .frame
            }
        }
    }

    private func value(_ fault: Fault, answering first: [UInt8]) throws -> [UInt8] {
        switch fault {
        case .anotherKey: try message2(answering: first, signedBy: try SigningKey.generate(.p256))
        case .anotherCarrier: try message2(answering: first, carrier: .nfc)
        case .anotherVersion: try message2(answering: first, version: 2)
        case .noise: [0x00, 0xFF, 0xFF]
        case .nothing: []
        case .tooLong: [0x00] + [UInt8](repeating: 0, count: 500)
        case .unknownKind: [0x03, 0x00]
        case .outcomeTooSoon: [0x02] + [UInt8](repeating: 0, count: 15)
        }
    }

    @Test(arguments: Fault.allCases) func itStopsBeforeItShowsItself(fault: Fault) throws {
        var phone = phone()
        let first = Self.start(&phone)
        let step = phone.received(try value(fault, answering: first))
        #expect(step == .write(BluetoothPhone.declined))
        let last = phone.wrote()
        #expect(last == .finish(.stopped(fault.stop)))
        let steps = phone.steps
        #expect(steps.count == 2)
        #expect(steps.last?.command == BluetoothPhone.declined)
        #expect(steps.last?.response == [], "nothing is read after the last word")
        #expect(phone.received([0x00, 0x00]) == last, "it is over")
    }

    /// message_2 of another exchange: its EAD_2 cannot even be read.
    @Test func itStopsAtAMessage2OfAnotherExchange() throws {
        var phone = phone()
        var other = self.phone()
        _ = Self.start(&phone)
        let step = phone.received(try message2(answering: Self.start(&other)))
        #expect(step == .write(BluetoothPhone.declined))
        guard case .finish(.stopped(.exchange)) = phone.wrote() else {
            Issue.record("it did not stop")
            return
        }
    }

    /// After message_3 the phone waits for the outcome, or an error.
    @Test(arguments: [[], [0x00], [0x05, 0x01], [0x02], [0x02, 0x01, 0x02]] as [[UInt8]])
    func afterMessage3NothingElseIsBelieved(value: [UInt8]) throws {
        var phone = phone()
        guard case .write = phone.received(try message2(answering: Self.start(&phone))), case .read = phone.wrote() else { return }
        let step = phone.received(value)
        if value.first == 0x02 {
            #expect(step == .finish(.stopped(.outcome)))
        } else {
            #expect(step == .write(BluetoothPhone.declined))
            #expect(phone.wrote() == .finish(.stopped(.frame)))
        }
    }

    @Test func theSameMessage2TwiceIsAnsweredOnce() throws {
        var phone = phone()
        let value = try message2(answering: Self.start(&phone))
        guard case .write = phone.received(value), case .read = phone.wrote() else { return }
        #expect(phone.received(value) == .write(BluetoothPhone.declined))
    }

    /// Error 3 before the phone has shown anything, and error 2 after, mean nothing (RFC 9528, 6.3 and 6.4).
    @Test(arguments: [EDHOCErrorMessage.unknownCredential, .unspecified("refused"), .wrongSuite([2])])
    func anErrorThatInvitesToNothingIsTheEnd(error: EDHOCErrorMessage) throws {
        var phone = phone()
        _ = Self.start(&phone)
        #expect(phone.received(Frame(.error, error.encoded).encoded) == .finish(.refused(error)))
        #expect(phone.result == .refused(error))
    }

    @Test func anUnknownReferenceIsFollowedOnce() throws {
        var phone = phone()
        guard case .write(let reference) = phone.received(try message2(answering: Self.start(&phone))) else { return }
        let error = Frame(.error, EDHOCErrorMessage.unknownCredential.encoded).encoded
        guard case .write(let again) = phone.received(error), case .write(let byValue) = phone.received(try message2(answering: again)) else {
            Issue.record("it did not begin again")
            return
        }
        #expect(byValue.count > reference.count)
        #expect(phone.received(error) == .finish(.refused(.unknownCredential)))
    }

    @Test func aWrongSuiteIsFollowedOnce() throws {
        var phone = phone(PhoneSettings(suites: [3, 2], carrier: .ble))
        _ = Self.start(&phone)
        let error = Frame(.error, EDHOCErrorMessage.wrongSuite([2]).encoded).encoded
        guard case .write(let again) = phone.received(error) else {
            Issue.record("it did not begin again")
            return
        }
        #expect(again.prefix(5) == [0x00, 0x00, 0x82, 0x03, 0x02])
        #expect(phone.received(error) == .finish(.refused(.wrongSuite([2]))))
    }

    /// What does not fit one value is not begun with parts.
    @Test(arguments: [(100, true), (500, false)]) func aMessage3ThatDoesNotFitIsNotSent(count: Int, fits: Bool) throws {
        let padding = EADItem(label: EADItem.paddingLabel, isCritical: false, value: [UInt8](repeating: 0, count: count))
        var phone = phone(PhoneSettings(carrier: .ble, moreItems3: [padding]))
        guard case .write(let value) = phone.received(try message2(answering: Self.start(&phone))) else { return }
        #expect((value == BluetoothPhone.declined) != fits)
        let step = phone.wrote()
        #expect(step == (fits ? .read : .finish(.stopped(.tooLong))))
    }

    @Test func aRequestForALaneIsInMessage1() {
        var phone = phone(PhoneSettings(carrier: .ble, requestedLane: "side"))
        let item: [UInt8] = [0x19, 0xD4, 0x54, 0x45, 0x64] + Array("side".utf8)
        #expect(Self.start(&phone).suffix(item.count) == item[...])
    }

    @Test func itTakesAnythingInAnyOrder() throws {
        var random = SeededNumbers(seed: 500)
        for _ in 0..<500 {
            var phone = phone()
            _ = Self.start(&phone)
            for _ in 0..<4 {
                let value = (0..<Int.random(in: 0..<60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
                _ = phone.received(Bool.random(using: &random) ? [UInt8.random(in: 0...3, using: &random)] + value : value)
            }
            if case .outcome = phone.result { Issue.record("an outcome from nobody") }
        }
    }
}
