import PhoneProtocol
import Credentials
import Cryptography
import Encoding
@testable import PhoneTool
import Testing
import Threads
import VirtualPhone
import Waits

@Suite("A phone that taps and tells")
struct TapCardTests {
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

    private static var deadline: Int64 { MonotonicTime.nanoseconds(atMilliseconds: WaitLimit.deadline) }

    private func card(_ misbehaviour: Misbehaviour? = nil) -> TapCard {
        TapCard(PhoneCard(NFCPhone(identity: identity)), misbehaviour: misbehaviour)
    }

    @Test func aGrantIsToldWithEveryStep() throws {
        let card = card()
        let head = [UInt8](repeating: 0xAB, count: 32)
        let end = try gate.serve(card, enrolled: [enrolled],
                                 outcome: PhoneOutcome(result: .granted, reason: .granted, journalHead: head))
        #expect(end == .outcomeTold)
        let record = try #require(result(of: card))
        #expect(record.verdict == .granted)
        #expect(record.steps.map(\.name) == ["SELECT", "EXCHANGE", "OUTCOME"])
        #expect(record.steps[0].waited == nil && record.steps.dropFirst().allSatisfy { $0.waited != nil })
        #expect(record.steps.allSatisfy { $0.own >= 0 && $0.commandLength > 0 && $0.answerLength >= 2 })
        #expect(record.gate?.lane == "entry")

        let json = TapReport(record).json
        #expect(json["result"] == "granted" && json["reason"] == "granted" && json["sentence"] == "The gate opens.")
        #expect(json["commands"] == 3 && json["commandsToProof"] == 2)
        #expect(json["journalHead"] == .string(Hex.encode(head)))
        #expect(json["retryAfterMilliseconds"] == .null)
        #expect(json["gate"]?["gate"] == "gate-1" && json["gate"]?["generation"] == 3)
        #expect(json["steps"]?.array?.count == 3)
        let bytes = record.steps.reduce(0) { $0 + $1.commandLength + $1.answerLength }
        #expect(json["bytes"] == JSON(bytes))
        // Three commands and three answers, each in one block with three bytes around it.
        #expect(json["framedBytes"] == JSON(bytes + 18))
        #expect(TapReport(record).lines.joined(separator: "\n").hasPrefix("granted (granted): The gate opens.\n  gate gate-1, lane entry\n  3 commands,"))
    }

    @Test func aRefusalHasItsReasonAndTheTimeToComeBack() throws {
        let card = card()
        try gate.serve(card, enrolled: [enrolled], outcome: PhoneOutcome(
            result: .refused, reason: .cooldownSuccess, retryAfterMilliseconds: 1234))
        let record = try #require(result(of: card))
        #expect(record.verdict == .refused)
        let json = TapReport(record).json
        #expect(json["reason"] == "cooldown-success" && json["retryAfterMilliseconds"] == 1234)
        #expect(TapReport(record).lines.joined(separator: "\n").contains("try again in 1234 ms"))
    }

    @Test func aReasonIsSaidInTheSitesOwnWordsTooWhereItHasSome() throws {
        let card = card()
        try gate.serve(card, enrolled: [enrolled], outcome: PhoneOutcome(result: .refused, reason: .cooldownSuccess))
        let record = try #require(result(of: card))
        let report = TapReport(record, words: ["cooldown-success": "Schon offen.", "granted": "Willkommen."])
        #expect(report.json["siteSentence"] == "Schon offen." && report.lines.contains("  Schon offen."))
        #expect(TapReport(record, words: ["granted": "Willkommen."]).json["siteSentence"] == nil)
    }

    @Test func aReasonOfTheFutureIsTolerated() throws {
        let card = card()
        try gate.serve(card, enrolled: [enrolled], outcome: PhoneOutcome(result: .failed, reasonNumber: 65000))
        let record = try #require(result(of: card))
        #expect(record.verdict == .refused)
        #expect(TapReport(record).reason.code == "reason-65000")
    }

    /// Unknown by its identifier, then by value: nothing is told before the second refusal.
    @Test func aStrangerIsGivenNoReason() throws {
        let card = card()
        try gate.serve(card)
        let record = try #require(result(of: card))
        #expect(record.verdict == .refused)
        #expect(record.steps.filter { $0.name == "EXCHANGE" }.count > 2)
        #expect(TapReport(record).json["reason"] == .null)
        #expect(TapReport(record).json["sentence"] == "The gate gave no reason.")
        #expect(result(of: card) == nil)
    }

    @Test func aGateOfAnotherSiteIsNotAnswered() throws {
        let card = card()
        try TestGate.other(than: gate).serve(card, enrolled: [enrolled])
        let record = try #require(result(of: card))
        #expect(record.verdict == .none)
        #expect(TapReport(record).reason == ("unknown-gate", "The phone itself stopped."))
    }

    @Test func aPhoneThatStaysTellsEachConversation() throws {
        let card = card()
        for round in 1...3 {
            try gate.serve(card, enrolled: [enrolled])
            card.handle(.reset)
            let record = try #require(result(of: card), "round \(round)")
            #expect(record.verdict == .granted && record.steps.count == 3 && record.steps[0].waited == nil)
            #expect(result(of: card) == nil)
        }
    }

    @Test func resultsWaitForWhoeverAsks() throws {
        let card = card()
        try gate.serve(card, enrolled: [enrolled])
        try gate.serve(card)
        card.stop(.gone)
        #expect(result(of: card)?.verdict == .granted)
        #expect(result(of: card)?.verdict == .refused)
        guard case .stopped(.gone) = card.wait(untilNanoseconds: Self.deadline) else {
            Issue.record("not stopped")
            return
        }
    }

    @Test func theFirstCauseOfTheEndCounts() {
        let card = card()
        card.stop(.interrupted)
        card.handle(.gone)
        guard case .stopped(.interrupted) = card.wait(untilNanoseconds: Self.deadline) else {
            Issue.record("not interrupted")
            return
        }
    }

    @Test func nobodyCameIsSaid() {
        let card = card()
        guard case .timeout = card.wait(untilNanoseconds: 0) else {
            Issue.record("no timeout")
            return
        }
        let report = TapReport(card.unfinished)
        #expect(card.unfinished.verdict == .none)
        #expect(report.reason.sentence == "No gate spoke to the phone.")
        #expect(report.json["commands"] == 0 && report.json["microseconds"] == 0)
        #expect(report.lines.joined(separator: "\n") == "none: No gate spoke to the phone.")
    }

    @Test func aPhoneThatIsPulledAwayHasNoResult() {
        let card = card()
        _ = card.receive([0x00, 0xA4, 0x04, 0x00, 0x09] + PhoneProtocolProfile.applicationIdentifier + [0x00])
        card.handle(.answered)
        card.handle(.gone)
        #expect(result(of: card) == nil)
        #expect(card.unfinished.steps.map(\.name) == ["SELECT"])
        #expect(TapReport(card.unfinished).reason == (nil, "The conversation did not come to its end."))
    }

    /// A phone leaves with the outcome in its hands: it knows the result although the reader never heard.
    @Test func theResultOfAnUnansweredOutcomeIsKnown() throws {
        let card = card()
        try gate.serve(card, enrolled: [enrolled])
        #expect(card.unfinished.verdict == .granted)
    }

    static let onTheWay: [Misbehaviour] = [
        .answer(2, .bitFlipped(100)), .answer(2, .truncated), .answer(2, .repeated), .answer(2, .oversized),
        .answer(2, .random), .answer(2, .empty), .answer(1, .bitFlipped(100)), .answer(1, .applicationUnknown)
    ]

    @Test(arguments: onTheWay)
    func whatGoesWrongOnTheWayIsNeverGranted(misbehaviour: Misbehaviour) throws {
        let card = card(misbehaviour)
        let end = try gate.serve(card, enrolled: [enrolled])
        #expect(end != .outcomeTold)
        #expect(result(of: card)?.verdict != .granted)
    }

    @Test func aFaultConcernsItsAnswerOnly() throws {
        let card = card(.answer(9, .empty))
        try gate.serve(card, enrolled: [enrolled])
        #expect(result(of: card)?.verdict == .granted)
    }

    /// ISO/IEC 14443-4: 253 bytes fit into a block of 256.
    static let lengths: [(Int, Int)] = [(2, 5), (253, 256), (254, 254 + 9), (506, 506 + 9), (507, 507 + 15)]

    @Test(arguments: lengths)
    func blocksAreCounted(length: Int, framed: Int) {
        #expect(TapStep.framed(length) == framed)
    }

    @Test func unknownCommandsHaveANumber() {
        let step = TapStep(instruction: 0xCA, commandLength: 5, answerLength: 2, waited: nil, own: 1)
        #expect(step.name == "INS ca")
    }
}
