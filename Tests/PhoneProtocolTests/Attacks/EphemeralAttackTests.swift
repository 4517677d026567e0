import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import Testing
import VirtualPhone

/// Ephemeral keys that were there before.
@Suite("Attack: reused ephemeral key (V3)") struct EphemeralAttackTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    private func point(ofMessage2 command: [UInt8]) throws -> [UInt8] {
        Array(try #require(CBOR.decode(CommandAPDU(parsing: command).data).bytes).prefix(32))
    }

    /// A phone that begins again in the same presentation meets another ephemeral key, and has one of its own.
    @Test(arguments: CipherSuite.ofGates) func aRepeatInOnePresentationHasNewKeys(suite: CipherSuite) throws {
        var gate = try site.gate()
        var phone = site.phone(
            .tokenReference(site.token.raw), .signing(site.phoneSigning), PhoneSettings(suites: [suite.rawValue]))
        var points: [[UInt8]] = []
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        for (command, response) in zip(tap.commands, tap.responses) {
            let parsed = try CommandAPDU(parsing: command)
            if parsed.ins == 0xE2, parsed.p1 == 0 { points.append(try point(ofMessage2: command)) }
            let data = try ResponseAPDU(parsing: response).data
            if let select = SelectAnswer(parsing: data) { points.append(Array(select.message1.dropFirst(4).prefix(32))) }
            if parsed.ins == 0xE2, parsed.p1 == 1 { points.append(Array(data.dropFirst(4).prefix(32))) }
        }
        #expect(points.count == 4)
        #expect(Set(points).count == 4)
        #expect(tap.proof != nil)
    }

    /// Whether there is a spare key to take at each claim, before its proof and after it.
    private func spares(_ gate: consuming NFCGateConversation, _ phone: consuming NFCPhone) -> [Bool] {
        var gate = gate, phone = phone, seen: [Bool] = []
        var action = gate.start()
        for _ in 0..<Tap.mostCommands {
            switch action {
            case .send(let command), .sendFinal(let command, _):
                action = gate.receive(phone.receive(command))
            case .identify(let claim):
                seen.append(gate.removeSpare() != nil)
                let result = gate.resolve(site.candidates(claim))
                seen.append(gate.removeSpare() != nil)
                guard case .refused = result else { return seen + [gate.removeSpare() != nil] }
                action = gate.refuse()
            case .finish:
                return seen
            }
        }
        return seen
    }

    /// The key for another beginning is for others only when this phone can begin no more, and has not used it.
    @Test func aKeyThatAPhoneHasSeenOrMayStillSeeIsForNobodyElse() throws {
        #expect(spares(try site.gate(), site.tokenPhone()) == [false, true, false])
        let begunAgain = site.phone(.tokenReference(site.token.raw), .signing(site.phoneSigning))
        #expect(spares(try site.gate(), begunAgain) == [false, false, false, false, false])
        #expect(spares(try site.gate(spare: false), site.tokenPhone()) == [false, false, false])
    }

    /// Without a second key there is no second message_2.
    @Test func withoutAFreshKeyThereIsNoSecondMessage2() throws {
        var gate = try site.gate(spare: false)
        var phone = site.phone(.tokenReference(site.token.raw), .signing(site.phoneSigning))
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.transcripts.count == 1)
        #expect(tap.proof == nil)
    }

    /// A phone uses its key for one message_2 only, also when it comes twice or another one follows.
    @Test func aPhonesKeyServesOneExchange() throws {
        var first = try site.gate()
        var second = try site.gate()
        var phone = site.tokenPhone()
        guard case .send(let select) = first.start(), case .send = second.start() else { return }
        let offered = phone.receive(select)
        guard case .sendFinal(let exchange, _) = first.receive(offered), case .sendFinal(let another, _) = second.receive(offered) else {
            Issue.record("no message_2")
            return
        }
        #expect(phone.receive(exchange).count > 2)
        #expect(phone.receive(exchange) == FalseGate.declined)
        #expect(phone.receive(another) == FalseGate.declined)
    }

    /// Somebody sends the G_X of another phone, whose answer it has recorded; the gate's key is fresh, so that the
    /// answer says nothing.
    @Test func theOtherSidesReuseHelpsNobody() throws {
        let raw = [UInt8](repeating: 0x31, count: 32)
        var answers: [[UInt8]] = []
        for _ in 0..<2 {
            var gate = try site.gate()
            var initiator = EDHOCInitiator(
                method: .bothSign, suites: [2], connectionIdentifier: [0x05],
                ephemeral: EphemeralKey(known: try AgreementKey(rawPrivate: raw, curve: .p256)))
            let message1 = try initiator.makeMessage1()
            _ = gate.start()
            guard case .sendFinal(let exchange, _) = gate.receive(ResponseAPDU(data: SelectAnswer(message1: message1).encoded).encoded) else {
                Issue.record("no message_2")
                return
            }
            if let recorded = answers.first {
                guard case .send(let refusal) = gate.receive(recorded) else {
                    Issue.record("a recorded answer was taken")
                    return
                }
                #expect(refusal == StrangerTests.uniform)
                return
            }
            _ = try initiator.receiveMessage2(CommandAPDU(parsing: exchange).data)
            _ = try initiator.verifyMessage2(site.gatePeers)
            let message3 = try initiator.makeMessage3(
                site.own(site.token.raw), ead: [PhoneRequest(carrier: .nfc, lane: TestSite.lane).item])
            answers.append(ResponseAPDU(data: message3).encoded)
            guard case .identify = gate.receive(answers[0]) else {
                Issue.record("the true answer was not taken")
                return
            }
        }
    }
}
