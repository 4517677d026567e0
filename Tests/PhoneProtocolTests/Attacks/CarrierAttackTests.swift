import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import Testing
import VirtualPhone

/// Somebody takes the messages of one carrier out of their frames and brings them to the other, or to another link.
@Suite("Attack: another carrier's messages (V3, T2)") struct CarrierAttackTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    private static func payload(_ value: [UInt8]?) -> [UInt8] {
        value.flatMap { Frame(parsing: $0) }?.payload ?? []
    }

    /// A phone in a bag speaks over Bluetooth to somebody near it, who stands at an NFC reader.
    @Test func aPhoneOverBluetoothIsNotCarriedToAReader() throws {
        var gate = try site.gate()
        var phone = site.tokenCentral()
        _ = gate.start()
        guard case .write(let offered) = phone.start(),
              case .sendFinal(let exchange, _) = gate.receive(
                ResponseAPDU(data: SelectAnswer(message1: Self.payload(offered)).encoded).encoded)
        else {
            Issue.record("no message_2")
            return
        }
        let answer = phone.received(Frame(.message, try CommandAPDU(parsing: exchange).data).encoded)
        #expect(answer == .write(BluetoothPhone.declined))
        #expect(phone.wrote() == .finish(.stopped(.carrier)))
    }

    /// A phone on a reader that is not one, and a gate over Bluetooth.
    @Test func aPhoneOnAReaderIsNotCarriedToARadio() throws {
        var gate = try site.peripheral()
        var phone = site.tokenPhone()
        let answer = try ResponseAPDU(parsing: phone.receive(FalseGateTests.select))
        let message1 = try #require(SelectAnswer(parsing: answer.data)?.message1)
        guard case .acceptFinal = gate.write(Frame(.message, message1).encoded) else {
            Issue.record("no message_2")
            return
        }
        let exchange = CommandAPDU(cla: 0x80, ins: 0xE2, data: Self.payload(gate.read()), expectedLength: 256)
        #expect(phone.receive(exchange.encoded) == FalseGate.declined)
        #expect(phone.result == .stopped(.carrier))
    }

    /// The worst that could happen: the gate makes the same ephemeral key a second time, and nothing in the exchange is
    /// random any more. A recorded conversation then proves something on its own carrier, and on the other nothing: the
    /// carrier is in the transcript.
    @Test(arguments: [Carrier.ble, .nfc]) func aRecordingIsBoundToItsCarrier(carrier: Carrier) throws {
        let repeated = try AgreementKey.generate(.p256)
        var radio = try site.peripheral([.bothAgree], ephemeral: repeated)
        var phone = site.enrolledCentral()
        let recorded = RadioTap.run(&radio, &phone, knowing: site.candidates)
        try #require(recorded.proof != nil)
        let messages = recorded.written.map(Self.payload)
        switch carrier {
        case .ble:
            var again = try site.peripheral([.bothAgree], ephemeral: repeated)
            _ = again.write(recorded.written[0])
            guard case .identify = again.write(recorded.written[1]) else {
                Issue.record("the recording is not good on its own carrier, so that the other case shows nothing")
                return
            }
        case .nfc:
            let offer = try GateOffer(gateIdentifier: "gate-1", lane: TestSite.lane, carrier: .nfc, methods: [.bothAgree])
            var reader = NFCGateConversation(
                offer: offer.at(time: 1_800_000_000, cacheGeneration: 7), keys: site.gateKeys, ephemeral: EphemeralKey(known: repeated))
            _ = reader.start()
            _ = reader.receive(ResponseAPDU(data: SelectAnswer(message1: messages[0]).encoded).encoded)
            guard case .send(let refusal) = reader.receive(ResponseAPDU(data: messages[1]).encoded) else {
                Issue.record("a reader took what was said over Bluetooth")
                return
            }
            #expect(refusal == StrangerTests.uniform)
            #expect(reader.receive([0x90, 0x00]) == .finish(.stopped(.protocolError, detail: "edhoc-not-decrypted")))
        }
    }

    /// Two phones at one radio: what one of them answers is worth nothing on the other's link.
    @Test func anAnswerForOneLinkIsNoneForAnother() throws {
        var mine = try site.peripheral()
        var other = try site.peripheral()
        var phone = site.tokenCentral()
        guard case .write(let first) = phone.start(), case .acceptFinal = mine.write(first), case .acceptFinal = other.write(first),
              let message2 = mine.read(), case .write(let second) = phone.received(message2)
        else {
            Issue.record("no message_3")
            return
        }
        #expect(other.write(second) == .finish(.stopped(.protocolError, detail: "edhoc-not-decrypted")))
        guard case .identify = mine.write(second) else {
            Issue.record("its own link did not take it")
            return
        }
    }

    /// The whole conversation of yesterday is written once more.
    @Test func aRecordedConversationProvesNothing() throws {
        var yesterday = try site.peripheral()
        var phone = site.tokenCentral()
        let recorded = RadioTap.run(&yesterday, &phone, knowing: site.candidates)
        try #require(recorded.proof != nil)
        var gate = try site.peripheral()
        _ = gate.write(recorded.written[0])
        #expect(gate.write(recorded.written[1]) == .finish(.stopped(.protocolError, detail: "edhoc-not-decrypted")))
        #expect(gate.read() == HostileCentralTests.uniform)
    }
}
