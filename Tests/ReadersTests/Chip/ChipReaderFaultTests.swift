import ReaderProtocol
import Testing

@testable import Readers

/// O5: what is found, how soon, and what is done about it. Times in milliseconds.
@Suite("Faults of a PN532 and of its program")
struct ChipReaderFaultTests {
    private static let everything = RecoveryMeans(hasResetLine: true, hasPort: true)

    /// A new program, and what it is told.
    private func restart(_ bench: ChipMachineBench) -> [ChipReaderAction] {
        [.disconnect, .connect, .send(.setUp(bench.machine.setup))]
    }

    private func isRecovering(_ bench: ChipMachineBench) -> String? {
        guard case .recovering(let fault, let rung, _)? = bench.machine.state else { return nil }
        return "\(fault.code) \(rung.rawValue)"
    }

    // The program -------------------------------------------------------------------------------

    @Test func aProgramThatFallsSilentIsReplacedWithinASecond() throws {
        let bench = try ChipMachineBench.open()
        bench.pass(1_000)
        bench.phase = nil
        let (milliseconds, actions) = bench.nextWanted()
        #expect(milliseconds <= 1_000)
        #expect(actions == restart(bench))
        #expect(bench.notes == ["nfc-helper-silent", "nfc-recovery"])
        #expect(isRecovering(bench) == "nfc-helper-silent restart")
        bench.opens()
        #expect(bench.machine.state == .ready)
        #expect(bench.machine.ladder.counts[.restart] == 1)
    }

    @Test func aProgramThatNeverBeginsIsReplacedEveryFewSeconds() throws {
        let bench = try ChipMachineBench()
        bench.firstPhase = nil
        bench.begin()
        _ = bench.drainWanted()
        let first = bench.nextWanted()
        #expect(first.milliseconds == 3_000)
        #expect(first.actions == restart(bench))
        let second = bench.nextWanted()
        #expect(second.milliseconds == 3_000)
        #expect(second.actions == [.disconnect])
        let third = bench.nextWanted()
        #expect(third.milliseconds == 100)
        #expect(third.actions == [.connect, .send(.setUp(bench.machine.setup))])
    }

    @Test func aProgramThatDiesIsStartedAnewAtOnce() throws {
        let bench = try ChipMachineBench.open()
        try bench.present(1)
        let asked = bench.ask()
        #expect(asked == nil)
        _ = bench.drainWanted()
        bench.lose(.programDied)
        let result = bench.removeResult()
        #expect(result == .failure(.serviceGone(LinkFault(.programDied))))
        let late = bench.ask()
        #expect(late?.code == "link-service-gone")
        #expect(bench.drainWanted() == [.disconnect])
        bench.end(.interrupted)
        #expect(bench.drainWanted() == [.connect, .send(.setUp(bench.machine.setup))])
    }

    @Test func aProgramThatIsNotThereIsTriedAgainEverySecondAndSaidOnce() throws {
        let bench = try ChipMachineBench()
        bench.isListening = false
        bench.begin()
        var waits: [Int64] = []
        for _ in 0..<10 {
            let (milliseconds, actions) = bench.nextWanted()
            #expect(actions.contains(.connect))
            waits.append(milliseconds)
        }
        #expect(waits == [0, 100, 200, 400, 800, 1_000, 1_000, 1_000, 1_000, 1_000])
        #expect(bench.machine.state == .failed(LinkFault(code: "nfc-helper-absent", message: "")))
        #expect(bench.notes == ["nfc-helper-absent", "nfc-recovery"])
        bench.isListening = true
        bench.pass(1_000)
        bench.opens()
        #expect(bench.machine.state == .ready)
    }

    @Test func whoAnswersWithoutHavingBeenAskedIsNotBelieved() throws {
        let lies: [(ChipMachineBench) throws -> Void] = [
            { try $0.answer(0) },
            { $0.send(.failed(ExchangeFailure(presentation: 0, cause: .gone))) },
            // Of the phone that is there, and was asked nothing.
            { bench in
                try bench.present(7)
                try bench.answer(7)
            },
            // Twice.
            { bench in
                try bench.present(7)
                _ = bench.ask()
                try bench.answer(7)
                try bench.answer(7)
            },
            // For another one.
            { bench in
                try bench.present(7)
                _ = bench.ask()
                try bench.answer(8)
            },
            // A number that is not greater than the one before it.
            { bench in
                try bench.present(7)
                bench.send(.card(try ChipMachineBench.card(7)))
            },
            { bench in
                try bench.present(7)
                bench.send(.card(try ChipMachineBench.card(6)))
            },
            // A phone, while another one owes an answer.
            { bench in
                try bench.present(7)
                _ = bench.ask()
                bench.send(.card(try ChipMachineBench.card(8)))
            },
            // A card that nobody wants to hear of.
            { $0.send(.card(try ChipMachineBench.card(7, .plain))) }
        ]
        for (number, lie) in lies.enumerated() {
            let bench = try ChipMachineBench.open()
            try lie(bench)
            if bench.isServing { bench.end(.interrupted) }
            #expect(bench.notes == ["nfc-protocol", "nfc-recovery"], "\(number)")
            #expect(bench.drainWanted().suffix(3) == restart(bench)[...], "\(number)")
        }
    }

    @Test func whateverALiarSaysBeforeItsEndIsIgnored() throws {
        let bench = try ChipMachineBench.open()
        bench.isListening = false
        bench.lose(.programLied("x"))
        _ = bench.drainWanted()
        bench.send(.state(.open(ChipFirmware(""))))
        bench.send(.card(try ChipMachineBench.card(1)))
        #expect(bench.drainWanted() == [])
        #expect(bench.machine.state != .cardPresent)
    }

    @Test func aProgramThatBabblesIsReplaced() throws {
        let bench = try ChipMachineBench.open()
        bench.pass(1_000)
        var said = 0
        while bench.notes.isEmpty, said < 100 {
            bench.send(.empty)
            said += 1
        }
        #expect(said <= 65)
        #expect(bench.notes == ["nfc-helper-babbles", "nfc-recovery"])
        #expect(bench.drainWanted() == restart(bench))
    }

    // The chip ----------------------------------------------------------------------------------

    @Test func aChipThatHangsInItsCycleIsFoundWithinTwoSeconds() throws {
        let bench = try ChipMachineBench.open()
        bench.pass(5_000)
        bench.isAtWork = false
        let (milliseconds, actions) = bench.nextWanted()
        #expect(milliseconds <= 2_000)
        #expect(actions == [.send(.abort)])
        #expect(isRecovering(bench) == "nfc-chip-silent abort")
    }

    @Test func aChipThatHangsWhileAPhoneIsHeldIsFoundToo() throws {
        let bench = try ChipMachineBench.open()
        try bench.present(1)
        bench.end(.done)
        bench.pass(5_000)
        _ = bench.drainWanted()
        bench.isAtWork = false
        let (milliseconds, actions) = bench.nextWanted()
        #expect(milliseconds <= 2_000)
        #expect(actions == [.send(.abort)])
    }

    @Test func aProgramThatDoesNotPollIsFoundToo() throws {
        let bench = try ChipMachineBench.open()
        bench.phase = .idle
        let (milliseconds, actions) = bench.nextWanted()
        #expect(milliseconds <= 2_000)
        #expect(actions == [.send(.abort)])
    }

    @Test func aChipThatStaysSilentSeesEveryStep() throws {
        let bench = try ChipMachineBench.open(Self.everything)
        bench.isAtWork = false
        var steps: [[ChipReaderAction]] = []
        var waits: [Int64] = []
        for _ in 0..<6 {
            let (milliseconds, actions) = bench.nextWanted()
            bench.phase = .opening
            steps.append(actions)
            waits.append(milliseconds)
        }
        let setup = ChipReaderAction.send(.setUp(bench.machine.setup))
        #expect(steps == [
            [.send(.abort)], [.send(.reopen)], [.resetLine, .send(.reopen)], [.reauthorise, .send(.reopen)], [.disconnect, .connect, setup],
            [.send(.reopen)]
        ])
        #expect(waits.dropFirst() == [600, 2_200, 2_400, 3_800, 6_000])
        #expect(RecoveryRung.allCases.map { bench.machine.ladder.counts[$0] } == [1, 2, 1, 1, 1])
        #expect(bench.notes == ["nfc-chip-silent"] + [String](repeating: "nfc-recovery", count: 5))
    }

    /// A line in the log every ten seconds helps nobody.
    @Test func aStepThatCannotBeTakenIsSaidOnce() throws {
        let bench = try ChipMachineBench.open(RecoveryMeans(hasPort: true))
        bench.isAtWork = false
        bench.stepFailure = LinkFault(code: "usb-port-denied", message: "")
        bench.pass(60_000)
        #expect(bench.machine.ladder.counts[.reauthorise] > 1)
        #expect(bench.notes.count { $0 == "usb-port-denied" } == 1)
    }

    @Test func aChipThatWorksAgainIsInServiceAtOnce() throws {
        let bench = try ChipMachineBench.open()
        bench.isAtWork = false
        _ = bench.nextWanted()
        #expect(bench.machine.state?.isInService == false)
        bench.isAtWork = true
        bench.pass(250)
        bench.send(.empty)
        #expect(bench.machine.state == .ready)
        let wanted = bench.wanted(within: 10_000)
        #expect(wanted == [])
    }

    /// The program is asked nothing then, and tells changes only.
    @Test func aChipThatComesRoundBeforeItsStepIsAsItWas() throws {
        let bench = try ChipMachineBench.open()
        bench.pass(1_000)
        bench.failAndComeBack(times: 3)
        _ = bench.drainWanted()
        // The pause before the fourth step is longer than the time until it is well.
        bench.isAtWork = false
        bench.fail(3)
        bench.pass(250)
        #expect(bench.machine.state?.isInService == false)
        bench.isAtWork = true
        bench.pass(250)
        #expect(bench.machine.state == .ready)
        try bench.present(1)
        #expect(try bench.drainWanted() == [.serve(ChipMachineBench.card(1))])
    }

    /// The beat that would say so comes later.
    @Test func aPhoneThatIsFoundShowsThatTheChipWorks() throws {
        let bench = try ChipMachineBench.open()
        bench.pass(1_000)
        bench.failAndComeBack(times: 3)
        bench.isAtWork = false
        bench.fail(3)
        bench.pass(260)
        #expect(bench.machine.state?.isInService == false)
        _ = bench.drainWanted()
        try bench.present(1)
        #expect(bench.machine.state == .cardPresent)
        #expect(try bench.drainWanted() == [.serve(ChipMachineBench.card(1))])
    }

    @Test func threeErrorsInARowAreAFault() throws {
        let bench = try ChipMachineBench.open()
        bench.pass(1_000)
        bench.isAtWork = false
        bench.fail(2)
        bench.pass(250)
        #expect(bench.drainWanted() == [])
        bench.fail(1)
        bench.pass(250)
        #expect(bench.drainWanted() == [.send(.abort)])
        #expect(isRecovering(bench) == "nfc-chip-fails abort")
    }

    @Test func threeFailedExchangesAreAFault() throws {
        let bench = try ChipMachineBench.open()
        for presentation in UInt32(1)...3 {
            try bench.present(presentation)
            _ = bench.ask()
            bench.send(.failed(ExchangeFailure(presentation: presentation, cause: .chip, number: -1)))
            _ = bench.drainWanted()
            bench.end(.interrupted)
            if presentation < 3 { bench.pass(100) }
        }
        #expect(bench.drainWanted() == [.send(.abort)])
        #expect(bench.notes.first == "nfc-chip-fails")
    }

    @Test func anExchangeThatHangsEndsThePresentationAndThenTheChipIsWoken() throws {
        let bench = try ChipMachineBench.open()
        try bench.present(1)
        _ = bench.ask()
        _ = bench.drainWanted()
        bench.pass(2_099)
        let early = bench.removeResult()
        #expect(early == nil)
        let wanted = bench.wanted(within: 1)
        #expect(wanted == [])
        let result = bench.removeResult()
        #expect(result == .failure(.failed(LinkFault(.chipSilent))))
        bench.end(.interrupted)
        #expect(bench.drainWanted() == [.send(.abort)])
    }

    @Test func anAnswerThatNobodyWantsMustComeBeforeTheNextPhone() throws {
        let bench = try ChipMachineBench.open()
        try bench.present(1)
        _ = bench.ask()
        bench.pass(2_100)
        bench.end(.interrupted)
        _ = bench.drainWanted()
        bench.send(.failed(ExchangeFailure(presentation: 1, cause: .chip, number: -1)))
        bench.send(.empty)
        #expect(bench.machine.state == .ready)
        try bench.present(2)
        #expect(try bench.drainWanted() == [.serve(ChipMachineBench.card(2))])
    }

    // Opening -----------------------------------------------------------------------------------

    @Test("A device that is not ours is tried again every second", arguments: [
        (ChipFailure.portAbsent, "nfc-port-absent"), (.portDenied, "nfc-port-denied"), (.portHeld, "nfc-port-held"),
        (.deviceUnknown, "nfc-device-unknown")
    ])
    func ports(failure: ChipFailure, code: String) throws {
        let bench = try ChipMachineBench(Self.everything)
        bench.begin()
        _ = bench.drainWanted()
        var waits: [Int64] = []
        for _ in 0..<8 {
            bench.send(.state(.failed(failure)))
            let (milliseconds, actions) = bench.nextWanted()
            #expect(actions == [.send(.reopen)])
            waits.append(milliseconds)
        }
        #expect(waits == [0, 100, 200, 400, 800, 1_000, 1_000, 1_000])
        #expect(bench.machine.state == .failed(LinkFault(code: code, message: "")))
        #expect(bench.notes == [code, "nfc-recovery"])
        bench.opens()
        #expect(bench.machine.state == .ready)
    }

    @Test("A chip that cannot be opened sees every step", arguments: [
        (ChipFailure.portBroken, "nfc-port-broken"), (.chipSilent, "nfc-chip-silent"), (.chipBabbles, "nfc-chip-babbles")
    ])
    func chips(failure: ChipFailure, code: String) throws {
        let bench = try ChipMachineBench()
        bench.begin()
        _ = bench.drainWanted()
        var steps: [[ChipReaderAction]] = []
        for _ in 0..<4 {
            bench.send(.state(.failed(failure)))
            steps.append(bench.nextWanted().actions)
        }
        #expect(steps == [[.send(.reopen)], restart(bench), [.send(.reopen)], restart(bench)])
        #expect(isRecovering(bench) == "\(code) restart")
    }

    @Test func whatWasSaidBeforeTheChipWasClosedIsIgnored() throws {
        let bench = try ChipMachineBench.open()
        bench.send(.state(.failed(.portAbsent)))
        #expect(bench.drainWanted() == [.send(.reopen)])
        bench.send(.card(try ChipMachineBench.card(1)))
        bench.send(.empty)
        #expect(bench.drainWanted() == [])
        #expect(bench.machine.state?.code == "reader-failed")
        bench.opens()
        try bench.present(2)
        #expect(try bench.drainWanted() == [.serve(ChipMachineBench.card(2))])
    }

    // Phones ------------------------------------------------------------------------------------

    @Test func aPhoneLeftLyingIsNotReadAgainBecauseTheChipWasReset() throws {
        let bench = try ChipMachineBench.open()
        try bench.present(1)
        bench.end(.done)
        _ = bench.drainWanted()
        bench.lose(.programDied)
        _ = bench.drainWanted()
        bench.pass(500)
        bench.send(.state(.open(ChipFirmware("PN532 v1.6"))))
        try bench.present(1)
        #expect(bench.drainWanted() == [.send(.end(presentation: 1, .holdUntilAway))])
        bench.send(.empty)
        bench.phase = .polling
        bench.pass(300)
        try bench.present(2)
        #expect(try bench.drainWanted() == [.serve(ChipMachineBench.card(2))])
    }

    @Test func aProgramKilledUnderTapsIsReplacedEachTimeWithinASecond() throws {
        let bench = try ChipMachineBench.open()
        for presentation in UInt32(1)...20 {
            try bench.present(1)
            #expect(try bench.drainWanted() == [.serve(ChipMachineBench.card(1))], "\(presentation)")
            _ = bench.ask()
            _ = bench.drainWanted()
            bench.lose(.programDied)
            bench.end(.interrupted)
            bench.pass(1_000)
            #expect(bench.drainWanted() == restart(bench), "\(presentation)")
            bench.opens()
            bench.pass(400)
        }
        #expect(bench.machine.ladder.counts[.restart] == 20)
    }
}
