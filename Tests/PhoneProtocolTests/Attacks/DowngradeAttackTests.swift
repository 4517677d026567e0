import Credentials
import Encoding
import PhoneProtocol
import Testing
import VirtualPhone

/// message_1 and errors travel in clear: what somebody changes in them must come to nothing.
@Suite("Attack: downgrade (V3)") struct DowngradeAttackTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    /// A tap whose message_1 goes through `rewrite` on its way to the gate.
    private func tap(
        _ phone: consuming NFCPhone, suites: [CipherSuite] = CipherSuite.ofGates, rewrite: @escaping ([UInt8]) -> [UInt8]
    ) throws -> (tap: Tap, gateSeen: GateContext?) {
        var phone = phone
        var gate = try site.gate(suites: suites)
        let tap = Tap.run(&gate, &phone, knowing: site.candidates) { index, isResponse, bytes in
            guard index == 0, isResponse, let answer = try? ResponseAPDU(parsing: bytes), let select = SelectAnswer(parsing: answer.data)
            else { return bytes }
            return ResponseAPDU(data: SelectAnswer(message1: rewrite(select.message1)).encoded).encoded
        }
        return (tap, phone.gate)
    }

    @Test(arguments: [1, 2, 3]) func aRewrittenMethodProvesNothing(method: UInt8) throws {
        let result = try tap(site.tokenPhone()) { [method] + $0.dropFirst() }
        #expect(result.tap.claims.isEmpty, "the phone has not said who it is")
        #expect(result.gateSeen == nil)
        #expect(result.tap.proof == nil)
    }

    @Test func aRewrittenMethodOfAnAgreeingPhoneProvesNothing() throws {
        let result = try tap(site.enrolledPhone()) { [0] + $0.dropFirst() }
        #expect(result.tap.claims.isEmpty && result.gateSeen == nil && result.tap.proof == nil)
    }

    /// The phone wants one suite alone; somebody asks for another one in its name, on the same curve or on the other.
    @Test(arguments: CipherSuite.ofGates, CipherSuite.ofGates) func aRewrittenSuiteProvesNothing(suite: CipherSuite, asked: CipherSuite) throws {
        guard suite != asked else { return }
        let result = try tap(site.tokenPhone(PhoneSettings(suites: [suite.rawValue]))) { [$0[0], UInt8(asked.rawValue)] + $0.dropFirst(2) }
        #expect(result.tap.claims.isEmpty && result.gateSeen == nil && result.tap.proof == nil)
    }

    /// A phone that signs asks for suite 6; somebody rewrites its method into one that suite 6 does not go with, so that the gate
    /// itself names weaker suites. What the phone sends then names suite 6 still, and the gate refuses.
    @Test func aRewrittenMethodDoesNotMakeTheGateNameAWeakerSuite() throws {
        var phone = site.tokenPhone(PhoneSettings(suites: [6, 2]))
        var gate = try site.gate()
        let tap = Tap.run(&gate, &phone, knowing: site.candidates) { index, isResponse, bytes in
            guard index == 0, isResponse, let answer = try? ResponseAPDU(parsing: bytes), let select = SelectAnswer(parsing: answer.data)
            else { return bytes }
            return ResponseAPDU(data: SelectAnswer(message1: [3] + select.message1.dropFirst()).encoded).encoded
        }
        #expect(tap.claims.isEmpty && tap.proof == nil)
        #expect(tap.commands.count > 2, "the phone began again")
    }

    private static func find(_ part: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.indices.dropLast(part.count - 1).first { bytes[$0..<($0 + part.count)].elementsEqual(part) }
    }

    /// The phone prefers suites 6 and 3, which this gate has not; it hears so by error 2, and
    /// begins again with 2. Somebody strikes 6 and 3 out of its second message_1.
    @Test func aShortenedListOfSuitesProvesNothing() throws {
        var phone = site.tokenPhone(PhoneSettings(suites: [6, 3, 2]))
        var gate = try site.gate(suites: [.suite2])
        let tap = Tap.run(&gate, &phone, knowing: site.candidates) { _, isResponse, bytes in
            guard isResponse, let answer = try? ResponseAPDU(parsing: bytes), let list = Self.find([0x83, 0x06, 0x03, 0x02], in: answer.data)
            else { return bytes }
            return ResponseAPDU(data: Array(answer.data[..<list]) + [0x02] + Array(answer.data[(list + 4)...])).encoded
        }
        #expect(tap.responses.count > 2, "the phone began again")
        #expect(tap.proof == nil)
        #expect(tap.claims.isEmpty)
    }

    /// Somebody tells a phone in the gate's name that only suite 2 is to be had. The phone begins again so, and the gate,
    /// which has the better one, refuses.
    @Test(arguments: [3, 5, 6]) func aForgedErrorTwoDoesNotWeakenTheSuite(better: UInt8) throws {
        var phone = site.tokenPhone(PhoneSettings(suites: [Int(better), 2]))
        _ = phone.receive(FalseGateTests.select)
        let forged = CommandAPDU(
            cla: 0x80, ins: 0xE2, p1: ExchangeKind.error.rawValue, p2: 0, data: EDHOCErrorMessage.wrongSuite([2]).encoded, expectedLength: 256)
        let again = try ResponseAPDU(parsing: phone.receive(forged.encoded))
        #expect(again.data.prefix(4) == [0x00, 0x82, better, 0x02], "suite 2, and which would have been better")
        var gate = try site.gate()
        _ = gate.start()
        let action = gate.receive(ResponseAPDU(data: SelectAnswer(message1: again.data).encoded).encoded)
        guard case .send(let command) = action else {
            Issue.record("the weaker suite was accepted: \(action)")
            return
        }
        #expect(try CommandAPDU(parsing: command).data == EDHOCErrorMessage.wrongSuite([2, 3, 5, 6]).encoded)
    }

    /// A method that a lane does not allow is not had by asking for it.
    @Test(arguments: [1, 2, 3]) func aMethodThatIsNotAllowedIsNotHad(method: Int) throws {
        var gate = try site.gate([.bothSign])
        let phone = try RawPhone(EDHOCMethod(rawValue: method) ?? .bothAgree, gates: site.gatePeers)
        _ = gate.start()
        guard case .send(let command) = gate.receive(phone.selectAnswer) else {
            Issue.record("method \(method) was accepted")
            return
        }
        #expect(command == StrangerTests.uniform)
    }
}
