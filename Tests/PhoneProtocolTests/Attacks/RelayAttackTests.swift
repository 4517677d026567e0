import Credentials
import Encoding
import PhoneProtocol
import Testing
import VirtualPhone

/// A conversation of one carrier or lane is brought to another.
@Suite("Attack: another carrier or lane (V3)") struct RelayAttackTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    /// The phone believes to speak over Bluetooth; somebody carries every byte to an NFC reader, or the other way round.
    @Test(arguments: [Carrier.nfc, Carrier.ble]) func aConversationTunnelledIntoAnotherCarrierIsStopped(gateCarrier: Carrier) throws {
        let phoneCarrier: Carrier = gateCarrier == .nfc ? .ble : .nfc
        var gate = try site.gate(carrier: gateCarrier)
        var phone = site.tokenPhone(PhoneSettings(carrier: phoneCarrier))
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.claims.isEmpty, "the phone has not said who it is")
        #expect(phone.result == .stopped(.carrier))
        #expect(tap.responses.last == FalseGate.declined)
    }

    /// The same with a phone that does not look at what the gate says of its carrier.
    @Test func aTunnelledConversationIsStoppedByTheGateToo() throws {
        let meeting = try site.meet(site.own(site.token.raw), ead: [PhoneRequest(carrier: .ble, lane: TestSite.lane).item])
        #expect(!meeting.isProved)
        #expect(meeting.end == .stopped(.wrongCarrier, detail: ""))
        #expect(meeting.claim == nil, "nobody is asked about who it is")
    }

    /// A phone that speaks of another lane than the one its conversation is with.
    @Test(arguments: ["side", "Main", "main ", ""]) func anotherLaneInTheRequestIsStopped(lane: String) throws {
        let meeting = try site.meet(site.own(site.token.raw), ead: [PhoneRequest(carrier: .nfc, lane: lane).item])
        #expect(!meeting.isProved)
        #expect(meeting.end == .stopped(.wrongLane, detail: ""))
    }

    /// Two lanes at a time: the answer for one is brought to the other.
    @Test func anAnswerForOneLaneIsNoneForAnother() throws {
        var main = try site.gate(lane: "main")
        var side = try site.gate(lane: "side")
        var phone = site.tokenPhone()
        guard case .send(let select) = main.start(), case .send = side.start() else { return }
        let offered = phone.receive(select)
        guard case .sendFinal(let exchange, _) = main.receive(offered), case .sendFinal(let other, _) = side.receive(offered) else {
            Issue.record("no message_2")
            return
        }
        #expect(exchange != other)
        let answer = try phone.whole(exchange)
        #expect(phone.gate?.lane == "main")
        guard case .send(let refusal) = side.receive(answer) else {
            Issue.record("the side lane took the main lane's answer")
            return
        }
        #expect(refusal == StrangerTests.uniform)
    }

    /// Two lanes at a time: messages_2 change places. The phone then speaks of the lane that it heard of, and the
    /// conversation is that lane's.
    @Test func swappedLanesAreToldApart() throws {
        var main = try site.gate(lane: "main")
        var side = try site.gate(lane: "side")
        var first = site.tokenPhone()
        var second = site.tokenPhone()
        guard case .send(let select) = main.start(), case .send = side.start() else { return }
        guard case .sendFinal(let toFirst, _) = main.receive(first.receive(select)),
              case .sendFinal(let toSecond, _) = side.receive(second.receive(select))
        else {
            Issue.record("no message_2")
            return
        }
        #expect(first.receive(toSecond) == FalseGate.declined, "not made for its message_1")
        #expect(second.receive(toFirst) == FalseGate.declined)
    }

    /// A command is part of what the phone signs.
    @Test func theCommandIsThePhones() throws {
        var gate = try site.gate()
        var phone = site.tokenPhone(PhoneSettings(command: "arm"))
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        let proof = try #require(tap.proof)
        #expect(proof.claim.request.command == "arm")
        #expect(proof.evidence.isSigned(by: site.phoneSigning.publicKey))
    }
}
