import Credentials
import Encoding
import PhoneProtocol
import Testing
import VirtualPhone

/// message_2 and OUTCOME that need more than one command (ISO/IEC 7816-4, 5.3.3).
@Suite struct ChainTests {
    let site: TestSite
    /// A gate whose credential is named by so many bytes that message_2 fills two commands.
    let longName = [UInt8](repeating: 0x77, count: 200)

    init() throws { site = try TestSite() }

    var keys: GateKeys {
        GateKeys(signing: (site.gateSigning, TestSite.gateCredential(site.gateSigning.publicKey, kid: longName)), agreement: nil)
    }

    func phone() throws -> NFCPhone {
        let claims = TestSite.gateCredential(site.gateSigning.publicKey, kid: longName).bytes
        return NFCPhone(identity: PhoneIdentity(
            credential: .token(site.token.raw), key: .signing(site.phoneSigning),
            gates: [try KnownGate(keyIdentifier: longName, claims: claims)]))
    }

    @Test func aLongMessage2GoesOutInLinks() throws {
        var gate = try site.gate(keys: keys)
        var phone = try phone()
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.end == .outcomeTold)
        #expect(tap.proof != nil)
        // SELECT, two links, GET RESPONSE, OUTCOME.
        #expect(tap.commands.count == 5)
        #expect(tap.commands[1].prefix(5) == [0x90, 0xE2, 0x00, 0x00, 0xFF])
        #expect(tap.commands[1].count == 260, "a link asks for nothing")
        #expect(tap.responses[1] == [0x90, 0x00])
        #expect(tap.commands[2].prefix(4) == [0x80, 0xE2, 0x00, 0x00])
        #expect(tap.transcripts.count == 1, "the attempt begins with the last link")
    }

    @Test func aLongOutcomeGoesOutInLinks() throws {
        var gate = try site.gate()
        var phone = site.tokenPhone()
        let outcome = PhoneOutcome(
            result: .granted, reason: .granted, journalHead: [UInt8](repeating: 1, count: 32),
            addition: OutcomeAddition(kind: 9, bytes: [UInt8](repeating: 2, count: OutcomeAddition.maximumLength)))
        let tap = Tap.run(&gate, &phone, knowing: site.candidates, sending: outcome)
        #expect(tap.end == .outcomeTold)
        #expect(tap.commands.suffix(3).map { Array($0.prefix(2)) } == [[0x90, 0xE4], [0x90, 0xE4], [0x80, 0xE4]])
        let result = phone.result
        #expect(result == .outcome(outcome))
    }

    /// Any other answer to a link than 9000 ends it.
    @Test(arguments: [[0x69, 0x85], [0x68, 0x84], [0x01, 0x90, 0x00], [0x61, 0x10], []] as [[UInt8]])
    func aLinkThatIsNotAcknowledgedIsTheEnd(answer: [UInt8]) throws {
        var gate = try site.gate(keys: keys)
        var phone = try phone()
        let tap = Tap.run(&gate, &phone, knowing: site.candidates) { index, isResponse, bytes in
            isResponse && index == 1 ? answer : bytes
        }
        #expect(tap.commands.count == 2)
        #expect(tap.transcripts.isEmpty)
        #expect(tap.end == (answer.count == 2 && answer[0] != 0x61
            ? .stopped(.phoneDeclined, detail: Hex.encode(answer)) : .stopped(.protocolError, detail: "bad-response")))
        // The same within OUTCOME: decided already.
        var second = try site.gate()
        var again = site.tokenPhone()
        let outcome = PhoneOutcome(
            result: .granted, reason: .granted, addition: OutcomeAddition(kind: 1, bytes: [UInt8](repeating: 0, count: 300)))
        let told = Tap.run(&second, &again, knowing: site.candidates, sending: outcome) { index, isResponse, bytes in
            isResponse && index == 3 ? answer : bytes
        }
        guard case .outcomeNotTold = told.end else {
            Issue.record("\(String(describing: told.end))")
            return
        }
    }

    /// The links of a phone's command belong together and are bounded; anything else ends the exchange.
    @Test func aBrokenChainIsDeclined() throws {
        let link: [UInt8] = [0x90, 0xE2, 0x00, 0x00, 0x02, 0x58, 0x20]
        var phone = site.tokenPhone()
        #expect(HostileLinkTests.send(&phone, link) == [0x69, 0x85], "before SELECT")
        _ = phone.receive(FalseGateTests.select)
        #expect(HostileLinkTests.send(&phone, link) == [0x90, 0x00])
        #expect(HostileLinkTests.send(&phone, [0x80, 0xE2, 0x01, 0x00, 0x01, 0x01]) == [0x69, 0x85], "another P1")
        var result = phone.result
        #expect(result == .stopped(.chain))

        _ = phone.receive(FalseGateTests.select)
        let full = [0x90, 0xE2, 0x00, 0x00, 0xFF] + [UInt8](repeating: 0, count: 255)
        var answers: [[UInt8]] = []
        for _ in 0..<5 { answers.append(phone.receive(full)) }
        #expect(answers == [[0x90, 0x00], [0x90, 0x00], [0x90, 0x00], [0x90, 0x00], [0x69, 0x85]])
        result = phone.result
        #expect(result == .stopped(.chain))
    }

    /// SELECT in the middle of a chain begins anew.
    @Test func selectForgetsAChain() throws {
        var phone = site.tokenPhone()
        _ = phone.receive(FalseGateTests.select)
        _ = phone.receive([0x90, 0xE2, 0x00, 0x00, 0x01, 0x00])
        var gate = try site.gate()
        #expect(Tap.run(&gate, &phone, knowing: site.candidates).proof != nil)
    }

    @Test func anAdditionOfALaterVersionIsPassedOver() throws {
        func parsed(_ last: CBOR) -> PhoneOutcome? {
            PhoneOutcome(parsing: CBOR.array([1, 0, 0, .null, .null, last]).encoded)
        }
        #expect(parsed(.null) == PhoneOutcome(result: .granted, reason: .granted))
        #expect(parsed([1, 5, .bytes([1, 2])])?.addition == OutcomeAddition(kind: 5, bytes: [1, 2]))
        let unknown: [CBOR] = [
            [2, 5, .bytes([1])], [1, 5], [1, "five", .bytes([])], [1, 5, .bytes([]), 0], 7, "text", [], .bytes([1]),
            [1, 5, .bytes([UInt8](repeating: 0, count: 513))]
        ]
        for item in unknown { #expect(parsed(item) == PhoneOutcome(result: .granted, reason: .granted)) }
        #expect(PhoneOutcome(parsing: CBOR.array([1, 0, 0, .null, .null]).encoded) == nil)
        #expect(PhoneOutcome(parsing: CBOR.array([2, 0, 0, .null, .null, .null]).encoded) == nil)
    }
}
