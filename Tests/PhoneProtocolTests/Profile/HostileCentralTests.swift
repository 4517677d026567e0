import Credentials
import PhoneProtocol
import SeededNumbers
import Testing
import VirtualPhone

/// Everything that can be written when it should not be. It ends the conversation, and tells nothing that a stranger may
/// not know.
@Suite struct HostileCentralTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    /// 01 and `(1, "refused")`.
    static let uniform: [UInt8] = [0x01, 0x01, 0x67] + Array("refused".utf8)

    /// How far a conversation is when something else is written.
    enum Moment: CaseIterable {
        case beginning, afterMessage2, deciding, afterError3, afterOutcome
    }

    /// A gate at this moment, with what was written on the way.
    private struct Reached: ~Copyable {
        var gate: BluetoothGateConversation
        var written: [[UInt8]] = []
    }

    private func reach(_ moment: Moment) throws -> Reached {
        var gate = try site.peripheral()
        var phone = moment == .afterError3
            ? site.central(.tokenReference(site.token.raw), .signing(site.phoneSigning)) : site.tokenCentral()
        guard moment != .beginning, case .write(let first) = phone.start() else { return Reached(gate: gate) }
        _ = gate.write(first)
        guard moment != .afterMessage2 else { return Reached(gate: gate, written: [first]) }
        guard let message2 = gate.read(), case .write(let second) = phone.received(message2),
              case .identify(let claim) = gate.write(second)
        else {
            Issue.record("no claim")
            return Reached(gate: gate)
        }
        if moment == .afterOutcome, case .proved = gate.resolve(site.candidates(claim)) {
            _ = gate.outcome(PhoneOutcome(result: .granted, reason: .granted))
        }
        if moment == .afterError3, case .refused = gate.resolve([]) { _ = gate.refuse() }
        return Reached(gate: gate, written: [first, second])
    }

    private static let wrong: [[UInt8]] = [
        [], [0x03], [0x7F, 0x00], [0xFF], [0x02], [0x02] + [UInt8](repeating: 0, count: 15),
        [0x00] + [UInt8](repeating: 0xA0, count: 500), [UInt8](repeating: 0, count: 512)
    ]

    @Test(arguments: Moment.allCases, wrong) func whatIsNoFrameOfAPhoneEndsIt(moment: Moment, value: [UInt8]) throws {
        var reached = try reach(moment)
        let outcome = reached.gate.read()
        let action = reached.gate.write(value)
        switch moment {
        case .beginning, .afterMessage2, .deciding:
            guard case .finish(.stopped(.protocolError, let detail)) = action else {
                Issue.record("it went on with \(action)")
                return
            }
            #expect(["frame", "unexpected-frame"].contains(detail))
        case .afterError3: #expect(action == .finish(.stopped(.unknownKey, detail: "")))
        case .afterOutcome: #expect(action == .finish(.outcomeTold))
        }
        let read = reached.gate.read()
        #expect(read == (moment == .afterOutcome ? outcome : Self.uniform))
        Self.expectOver(&reached.gate, action)
    }

    /// Nothing changes after the end, and nothing is proved.
    static func expectOver(_ gate: inout BluetoothGateConversation, _ end: BluetoothGateConversation.Action) {
        let readable = gate.read()
        let again = gate.write([0x00, 0x00])
        #expect(again == end)
        guard case .refused(.internalError) = gate.resolve([]) else {
            Issue.record("resolved after the end")
            return
        }
        let (outcome, refusal, read) = (gate.outcome(PhoneOutcome(result: .granted, reason: .granted)), gate.refuse(), gate.read())
        #expect(outcome == end)
        #expect(refusal == end)
        #expect(read == readable)
    }

    /// A value of the longest length is read as what it is, one byte more is not.
    @Test(arguments: [(500, "edhoc-malformed: message"), (501, "frame")]) func aValueHasAtMost500Bytes(count: Int, detail: String) throws {
        var reached = try reach(.afterMessage2)
        let action = reached.gate.write([UInt8](repeating: 0, count: count))
        #expect(action == .finish(.stopped(.protocolError, detail: detail)))
    }

    @Test func aReadWithNothingReadyGivesNothing() throws {
        var gate = try site.peripheral()
        #expect(Self.read(&gate) == nil, "before the first write")
        #expect(Self.end(gate) == nil)
        var deciding = try reach(.deciding)
        #expect(Self.read(&deciding.gate) == nil, "while the gate decides")
    }

    @Test(arguments: [Moment.afterMessage2, .afterError3, .afterOutcome]) func repeatedReadsGiveTheSame(moment: Moment) throws {
        var reached = try reach(moment)
        let first = reached.gate.read()
        #expect(first != nil)
        for _ in 0..<3 { #expect(Self.read(&reached.gate) == first) }
    }

    @Test func message3TwiceIsAnsweredOnce() throws {
        var deciding = try reach(.deciding)
        let early = deciding.gate.write(deciding.written[1])
        #expect(early == .finish(.stopped(.protocolError, detail: "unexpected-frame")))
        var over = try reach(.afterOutcome)
        let outcome = over.gate.read()
        let late = over.gate.write(over.written[1])
        #expect(late == .finish(.outcomeTold))
        #expect(Self.read(&over.gate) == outcome)
    }

    @Test func message1TwiceIsNoMessage3() throws {
        var reached = try reach(.afterMessage2)
        guard case .finish(.stopped(.protocolError, _)) = reached.gate.write(reached.written[0]) else {
            Issue.record("a second message_1 was taken")
            return
        }
        #expect(Self.read(&reached.gate) == Self.uniform)
    }

    /// Each invitation is good for once; then the phone is a stranger like any other.
    @Test func eachErrorInvitesOnce() throws {
        let first = try RawPhone(gates: site.gatePeers, suites: [3])
        var gate = try site.peripheral(suites: [.suite2])
        let value = Frame(.message, first.message1).encoded
        #expect(gate.write(value) == .accept)
        #expect(Self.read(&gate) == [0x01, 0x02, 0x02])
        #expect(Self.end(gate) == .stopped(.protocolVersion, detail: "edhoc-wrong-suite"), "if the phone goes now")
        #expect(gate.write(value) == .finish(.stopped(.protocolVersion, detail: "edhoc-wrong-suite")))
        #expect(Self.read(&gate) == [0x01, 0x02, 0x02])
    }

    /// The phone stops by an EDHOC error; what is no error message is no excuse. An error is never answered by one
    /// (RFC 9528, 6), wherever it comes and in whichever frame.
    @Test(arguments: [FrameKind.error, .message], PhoneErrors.all)
    func aPhoneMayStopAndHearsNoErrorBack(kind: FrameKind, error: PhoneErrors.One) throws {
        let value = Frame(kind, error.bytes).encoded
        var reached = try reach(.afterMessage2)
        let action = reached.gate.write(value)
        #expect(action == .finish(.stopped(.phoneDeclined, detail: "edhoc-error-\(error.code)")))
        #expect(Self.read(&reached.gate) == nil)
        var repeating = try reach(.afterError3)
        let end = repeating.gate.write(value)
        #expect(end == .finish(.stopped(.unknownKey, detail: "")))
        #expect(Self.read(&repeating.gate) == nil)
        for moment in [Moment.beginning, .deciding] {
            var early = try reach(moment)
            let end = early.gate.write(value)
            #expect(end == .finish(.stopped(.protocolError, detail: "unexpected-frame")))
            #expect(Self.read(&early.gate) == nil)
        }
    }

    @Test func anErrorThatIsNoneOrTooSoonEndsItToo() throws {
        var first = try reach(.beginning)
        let early = first.gate.write(Frame(.error, EDHOCErrorMessage.unspecified("no").encoded).encoded)
        #expect(early == .finish(.stopped(.protocolError, detail: "unexpected-frame")))
        var second = try reach(.afterMessage2)
        let bad = second.gate.write([0x01, 0xFF])
        #expect(bad == .finish(.stopped(.protocolError, detail: "error-message")))
        #expect(Self.read(&second.gate) == Self.uniform)
    }

    /// Another carrier or lane in EAD_3 is what it is over NFC.
    @Test(arguments: [(Carrier.nfc, TestSite.lane, Reason.wrongCarrier), (.ble, "side", .wrongLane)])
    func anotherCarrierOrLaneIsRefused(carrier: Carrier, lane: String, reason: Reason) throws {
        var gate = try site.peripheral(lanes: [TestSite.lane, "side"])
        var phone = try RawPhone(gates: site.gatePeers)
        _ = gate.write(Frame(.message, phone.message1).encoded)
        let message2 = try #require(gate.read().flatMap { Frame(parsing: $0) }?.payload)
        let item = PhoneRequest(carrier: carrier, lane: lane).item
        let message3 = try phone.message3(message2, as: site.own(site.token.raw), ead: [item])
        let action = gate.write(Frame(.message, message3).encoded)
        #expect(action == .finish(.stopped(reason, detail: "")))
        #expect(Self.read(&gate) == Self.uniform)
    }

    @Test func aRadioWithoutALaneIsNobodysFault() throws {
        var gate = try site.peripheral(lanes: [])
        let action = gate.write([0x00, 0x00])
        #expect(action == .finish(.stopped(.internalError, detail: "no-offer")))
    }

    /// Calls out of order by our own caller end the conversation and can grant nothing.
    @Test(arguments: [true, false]) func stepsOutOfOrderEndTheConversation(refuses: Bool) throws {
        var reached = try reach(.afterMessage2)
        let misuse = refuses ? reached.gate.refuse() : reached.gate.outcome(PhoneOutcome(result: .granted, reason: .granted))
        #expect(misuse == .finish(.stopped(.internalError, detail: "out-of-order")))
        Self.expectOver(&reached.gate, misuse)
    }

    /// Flips one bit of every byte that is written or read.
    @Test(arguments: [true, false]) func aFlippedByteProvesNothing(signs: Bool) throws {
        var gate = try site.peripheral()
        var phone = signs ? site.tokenCentral() : site.enrolledCentral()
        let good = RadioTap.run(&gate, &phone, knowing: site.candidates)
        #expect(good.proof != nil)
        for (values, isRead) in [(good.written, false), (good.read, true)] {
            for (index, value) in values.enumerated() {
                for position in value.indices {
                    var gate = try site.peripheral(spare: false)
                    var phone = signs ? site.tokenCentral() : site.enrolledCentral()
                    let tap = RadioTap.run(&gate, &phone, knowing: site.candidates) { at, read, bytes in
                        guard at == index, read == isRead, bytes.indices.contains(position) else { return bytes }
                        var bytes = bytes
                        bytes[position] ^= 1 << UInt8(position % 8)
                        return bytes
                    }
                    let isOutcome = isRead && index == values.count - 1
                    #expect((tap.proof != nil) == isOutcome, "value \(index), read \(isRead), byte \(position)")
                    if case .outcome = tap.result { Issue.record("an altered conversation was believed") }
                }
            }
        }
    }

    @Test func anythingAtAllEndsTheConversation() throws {
        var random = SeededNumbers(seed: 1000)
        for _ in 0..<1000 {
            var gate = try site.peripheral(spare: false)
            var action = BluetoothGateConversation.Action.accept
            for _ in 0..<RadioTap.mostValues {
                action = gate.write((0..<Int.random(in: 0..<300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
                _ = gate.read()
                if case .finish = action { break }
            }
            guard case .finish = action else {
                Issue.record("noise led to \(action)")
                return
            }
        }
    }

    static func read(_ gate: inout BluetoothGateConversation) -> [UInt8]? { gate.read() }

    static func end(_ gate: borrowing BluetoothGateConversation) -> ConversationEnd? { gate.end }
}
