import AttributeServer
import PhoneProtocol
import Credentials
import Encoding
@testable import PhoneTool
import Testing
import VirtualPhone

@Suite("A phone that taps over Bluetooth and tells")
struct BluetoothTapTests {
    let scratch: ScratchFolder
    let gate: TestGate
    let identity: PhoneIdentity
    let enrolled: EnrolledKey

    init() throws {
        scratch = try ScratchFolder()
        gate = try TestGate()
        let key = try PhoneFiles.makeKey(at: scratch.path("anna.key"), use: .sign).key
        enrolled = EnrolledKey(keyIdentifier: [7, 7], key: key, use: .sign, subject: "anna")
        identity = try PhoneIdentity(
            keyPath: scratch.path("anna.key"), gatesPath: scratch.write("gates", gate.knownGates),
            presenting: .keyIdentifier(path: scratch.write("ccs", enrolled.credential), token: nil))
    }

    private func tap(
        at link: InProcessGate, _ misbehaviour: BluetoothMisbehaviour? = nil, mtu: Int = 517, handle: UInt16? = nil
    ) -> BluetoothRecord {
        let phone = BluetoothPhone(identity: identity, settings: PhoneSettings(carrier: .ble))
        var tap = BluetoothTap(phone, on: link, plan: BluetoothPlan(mtu: mtu, handle: handle, misbehaviour: misbehaviour, deadline: .max))
        return tap.run()
    }

    private func served(_ outcome: PhoneOutcome = PhoneOutcome(result: .granted, reason: .granted)) throws -> ServedTap {
        try ServedTap(gate, enrolled: [enrolled], outcome: outcome)
    }

    private static let whole = ["MTU", "FIND", "WRITE message_1", "READ message_2", "WRITE message_3", "READ outcome"]

    @Test func aGrantIsToldWithEveryStep() throws {
        let head = [UInt8](repeating: 0xAB, count: 32)
        let served = try served(PhoneOutcome(result: .granted, reason: .granted, journalHead: head))
        let link = served.link()
        let record = tap(at: link)
        #expect(record.verdict == .granted && record.failure == nil)
        #expect(served.end == .outcomeNotTold(detail: "not-read") && link.isClosed)
        #expect(record.steps.map(\.name) == Self.whole)
        #expect(record.steps.allSatisfy { $0.isDone && $0.took >= 0 && $0.refusals == 0 })
        let json = BluetoothReport(record).json
        #expect(json["result"] == "granted" && json["reason"] == "granted" && json["sentence"] == "The gate opens.")
        #expect(json["journalHead"] == .string(Hex.encode(head)) && json["retryAfterMilliseconds"] == .null)
        // MTU, service, characteristic; then each step in one request: three until the relay.
        #expect(json["requests"] == 7 && json["requestsToProof"] == 3)
        #expect(json["mtu"] == 517 && json["handle"] == 11)
        #expect(json["gate"]?["lane"] == "entry" && json["linkEnd"] == .null)
        #expect(json["bytes"] == JSON(record.steps.reduce(0) { $0 + $1.byteCount }))
        #expect(json["steps"]?.array?.count == 6 && json["address"] == .null)
        let text = BluetoothReport(record).lines.joined(separator: "\n")
        #expect(text.hasPrefix("granted (granted): The gate opens.\n  gate gate-1, lane entry\n  MTU 517, 7 requests, proof after 3 and "))
    }

    @Test func aKnownHandleIsNotSearchedFor() throws {
        let record = tap(at: try served().link(), handle: 11)
        #expect(record.verdict == .granted && record.requests == 5)
        #expect(record.steps.map(\.name) == Self.whole.filter { $0 != "FIND" })
    }

    @Test func anotherHandleIsRefused() throws {
        #expect(tap(at: try served().link(), handle: 12).failure == .attribute(.refused(request: 0x12, .invalidHandle)))
    }

    static let agreements: [(phone: Int, gate: Int, both: Int)] = [(23, 517, 23), (517, 23, 23), (185, 517, 185), (517, 247, 247)]

    @Test(arguments: agreements)
    func everyMTUCarriesATap(phone: Int, gate: Int, both: Int) throws {
        let link = try served().link(mtu: gate)
        let record = tap(at: link, mtu: phone)
        #expect(record.verdict == .granted && record.mtu == both)
        #expect(link.received.allSatisfy { $0.count <= both })
        #expect(record.steps.contains { $0.name == "MTU" } == (phone > 23))
    }

    @Test func aRefusalHasItsReasonAndTheTimeToComeBack() throws {
        let record = tap(at: try served(PhoneOutcome(result: .refused, reason: .cooldownSuccess, retryAfterMilliseconds: 1234)).link())
        #expect(record.verdict == .refused)
        let json = BluetoothReport(record).json
        #expect(json["reason"] == "cooldown-success" && json["retryAfterMilliseconds"] == 1234)
        #expect(BluetoothReport(record).lines.joined(separator: "\n").contains("try again in 1234 ms"))
    }

    /// Unknown by its identifier, then by value: the second message_3 is no proof either, but the gate took it.
    @Test func aStrangerIsGivenNoReason() throws {
        let served = try ServedTap(gate)
        let record = tap(at: served.link())
        #expect(record.verdict == .refused)
        #expect(record.steps.dropFirst(2).map(\.name) == [
            "WRITE message_1", "READ message_2", "WRITE message_3", "READ error",
            "WRITE message_1", "READ message_2", "WRITE message_3", "READ error"
        ])
        #expect(BluetoothReport(record).json["requestsToProof"] == 7)
        #expect(BluetoothReport(record).reason == (nil, "The gate gave no reason."))
    }

    @Test func aGateOfAnotherSiteIsToldNothing() throws {
        let served = try ServedTap(TestGate.other(than: gate), enrolled: [enrolled])
        let record = tap(at: served.link())
        #expect(record.verdict == .none)
        #expect(BluetoothReport(record).reason == ("unknown-gate", "The phone itself stopped."))
        #expect(served.written.count == 2 && served.written.last == BluetoothPhone.declined)
    }

    @Test(arguments: 1...7)
    func aLinkThatEndsBeforeAnAnswerIsNoGrant(number: Int) throws {
        let link = try served().link()
        link.onTheWay = { response, count in count == number ? nil : [response] }
        let record = tap(at: link)
        #expect(record.verdict == .none && record.failure == .linkLost(errno: 104))
        #expect(BluetoothReport(record).reason.code == "bluetooth-link-lost" && BluetoothReport(record).json["linkEnd"] == "bluetooth-link-lost")
        #expect(record.steps.last?.isDone == false)
        #expect(record.proof.isEmpty == (number < 7))
    }

    @Test(arguments: 1...7)
    func aGateThatFallsSilentIsNoGrant(number: Int) throws {
        let link = try served().link()
        link.onTheWay = { response, count in count >= number ? [] : [response] }
        #expect(tap(at: link).failure == .silent)
    }

    /// Too far, too many, not now: the gate says it with the error of a write and ends the link.
    @Test func aWriteThatIsRefusedEndsTheTapWithItsError() throws {
        let link = InProcessGate(ServedTap.table, onWrite: { _, _ in 0x81 })
        let record = tap(at: link)
        #expect(record.verdict == .none && record.proof.isEmpty)
        let json = BluetoothReport(record).json
        #expect(json["reason"] == "att-refused" && json["sentence"] == "The gate refused request 12 with error 81.")
        #expect(json["steps"]?.array?.last?["error"] == "81")
        #expect(BluetoothReport(record).lines.joined(separator: "\n").hasSuffix(" ms, refused (error 81)"))
    }

    @Test func whatIsNoGateIsSaid() {
        let record = tap(at: InProcessGate(AttributeTable([([0x00, 0x18], [])])))
        #expect(BluetoothReport(record).reason.code == "att-service-missing" && record.handle == nil)
    }

    // Doing it wrong ----------------------------------------------------------------------------

    static let cuts: [(BluetoothMisbehaviour, [String], values: Int)] = [
        (.cutAfter(.connect), [], 0),
        (.cutAt(.message1), ["MTU", "FIND"], 1),
        (.cutAfter(.message1), ["MTU", "FIND", "WRITE message_1"], 1),
        (.cutAt(.message2), ["MTU", "FIND", "WRITE message_1"], 1),
        (.cutAfter(.message2), ["MTU", "FIND", "WRITE message_1", "READ message_2"], 1),
        (.cutAt(.message3), ["MTU", "FIND", "WRITE message_1", "READ message_2"], 2),
        (.cutAfter(.message3), ["MTU", "FIND", "WRITE message_1", "READ message_2", "WRITE message_3"], 2),
        (.cutAt(.outcome), ["MTU", "FIND", "WRITE message_1", "READ message_2", "WRITE message_3"], 2)
    ]

    /// What it was about to do has reached the gate when the phone goes.
    @Test(arguments: cuts)
    func aPhoneGoesWhereItIsTold(misbehaviour: BluetoothMisbehaviour, steps: [String], values: Int) throws {
        let served = try served()
        let link = served.link()
        let record = tap(at: link, misbehaviour)
        #expect(record.steps.map(\.name) == steps)
        #expect(served.written.count == values)
        #expect(record.result == nil && record.failure == nil && link.isClosed)
        #expect(BluetoothReport(record).reason == (nil, "The phone let the gate go before the end."))
    }

    @Test func aPhoneThatGoesAfterTheOutcomeHasIt() throws {
        #expect(tap(at: try served().link(), .cutAfter(.outcome)).verdict == .granted)
    }

    @Test(arguments: TapPoint.allCases)
    func aPhoneFallsSilentWhereItIsTold(point: TapPoint) throws {
        let link = try served().link()
        let record = tap(at: link, .silentAfter(point))
        #expect(record.failure == .silent && record.verdict == (point == .outcome ? .granted : .none))
        let reached = [TapPoint.connect: 0, .message1: 3, .message2: 4, .message3: 5, .outcome: 6]
        #expect(record.steps.count == reached[point])
    }

    /// What the gate refuses by itself costs the phone nothing: then it taps as it should.
    static let refused: [(BluetoothMisbehaviour, UInt8)] = [(.long(512), 0x0D), (.offset(5), 0x07), (.earlyRead, 0x80)]

    @Test(arguments: refused)
    func whatIsRefusedIsNotedAndThePhoneGoesOn(misbehaviour: BluetoothMisbehaviour, code: UInt8) throws {
        let record = tap(at: try served().link(), misbehaviour)
        #expect(record.steps.map(\.name) == ["MTU", "FIND", "FAULT"] + Self.whole.dropFirst(2))
        #expect(record.steps[2].refusals == 1 && record.steps[2].refusal?.rawValue == code)
        #expect(record.verdict == .granted && BluetoothReport(record).json["requestsToProof"] == 3)
    }

    @Test func afterNoiseInAValueThePhoneIsAStranger() throws {
        let served = try served()
        let record = tap(at: served.link(), .garbage(100))
        #expect(served.written.first?.count == 100)
        #expect(record.verdict == .refused)
    }

    @Test func aFloodIsCounted() throws {
        let served = try served()
        let record = tap(at: served.link(), .flood(20))
        #expect(record.steps[2].requests == 20 && record.steps[2].refusals == 0)
        #expect(served.written.count > 20 && record.verdict == .refused)
        let refusing = tap(at: InProcessGate(ServedTap.table, onWrite: { _, _ in 0x81 }), .flood(20))
        #expect(refusing.steps[2].refusals == 20 && refusing.steps[2].refusal?.rawValue == 0x81)
    }

    @Test func aBurstWaitsForNoAnswer() throws {
        let link = try served().link()
        link.onTheWay = { response, number in number == 10 ? nil : [response] }
        let record = tap(at: link, .burst(20))
        #expect(record.failure == .linkLost(errno: 104) && record.steps.last?.name == "FAULT" && record.steps.last?.requests == 20)
        let other = tap(at: InProcessGate(ServedTap.table, onWrite: { _, _ in 0x81 }), .burst(20))
        #expect(other.steps[2].refusals == 20)
    }

    @Test func noiseFitsEveryMTU() throws {
        let link = try served().link()
        let record = tap(at: link, .noise(50), mtu: 23)
        #expect(record.steps[1].name == "FAULT" && record.steps[1].requests == 50)
        #expect(link.received.allSatisfy { $0.count <= 23 })
    }
}
