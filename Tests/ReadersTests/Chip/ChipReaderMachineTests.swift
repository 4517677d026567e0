import ReaderProtocol
import Testing

@testable import Readers

/// T9 and O5 at a PN532: when a phone is served, held and let go of. Times in milliseconds.
@Suite("Presentations at a PN532")
struct ChipReaderMachineTests {
    private func serve(_ presentation: UInt32) throws -> [ChipReaderAction] {
        [.serve(try ChipMachineBench.card(presentation))]
    }

    private func end(_ presentation: UInt32, _ after: AfterPresentation) -> [ChipReaderAction] {
        [.send(.end(presentation: presentation, after))]
    }

    /// One whose first phone is being served.
    private func serving() throws -> ChipMachineBench {
        let bench = try ChipMachineBench.open()
        try bench.present(1)
        #expect(try bench.drainWanted() == serve(1))
        return bench
    }

    @Test func theProgramIsToldOnceWhatItIsToDo() throws {
        let bench = try ChipMachineBench()
        bench.begin()
        #expect(bench.drainWanted() == [.connect, .send(.setUp(bench.machine.setup))])
        bench.opens()
        let wanted = bench.wanted(within: 5_000)
        #expect(wanted == [])
        #expect(bench.machine.ladder.counts == RecoveryCounts())
    }

    @Test func nothingIsSaidOfAReaderBeforeItsFieldWasLookedInto() throws {
        let bench = try ChipMachineBench()
        bench.begin()
        #expect(bench.machine.state == nil)
        bench.send(.state(.opening))
        #expect(bench.machine.state == nil)
        bench.send(.state(.open(ChipFirmware("PN532 v1.6"))))
        #expect(bench.machine.state == nil)
        bench.send(.empty)
        #expect(bench.machine.state == .ready)
    }

    @Test func aPhoneIsServedAtOnceAndOnce() throws {
        let bench = try serving()
        #expect(bench.machine.state == .cardPresent)
        let wanted = bench.wanted(within: 3_000)
        #expect(wanted == [])
    }

    @Test func aCommandGoesToThePhoneAndItsAnswerBack() throws {
        let bench = try serving()
        let refusal = bench.ask([0x00, 0xA4, 0x04, 0x00])
        #expect(refusal == nil)
        let command = try ReaderCommand(presentation: 1, apdu: [0x00, 0xA4, 0x04, 0x00])
        #expect(bench.drainWanted() == [.send(.command(command))])
        let none = bench.removeResult()
        #expect(none == nil)
        try bench.answer(1, [0x6A, 0x82])
        let result = bench.removeResult()
        #expect(result == .success([0x6A, 0x82]))
        let again = bench.removeResult()
        #expect(again == nil)
    }

    @Test(arguments: [
        (ExchangeFailure.Cause.gone, "link-card-gone"), (.timedOut, "link-timed-out"), (.chip, "link-failed")
    ])
    func aCommandWithoutAnAnswerSaysWhy(cause: ExchangeFailure.Cause, code: String) throws {
        let bench = try serving()
        _ = bench.ask()
        bench.send(.failed(ExchangeFailure(presentation: 1, cause: cause, number: -20)))
        let result = bench.removeResult()
        guard case .failure(let error)? = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect(error.code == code)
    }

    @Test(arguments: [0, 3, 263, 400])
    func aCommandThatAChipCannotCarryIsRefusedHere(count: Int) throws {
        let bench = try serving()
        let refusal = bench.ask([UInt8](repeating: 0, count: count))
        #expect(refusal == .failed(LinkFault(code: "nfc-command-length", message: "")))
        #expect(bench.drainWanted() == [])
        let good = bench.ask()
        #expect(good == nil)
    }

    @Test func aCardLeftLyingIsReadOnceAndHeld() throws {
        let bench = try serving()
        bench.end(.done)
        #expect(bench.drainWanted() == end(1, .holdUntilAway))
        let wanted = bench.wanted(within: 60_000)
        #expect(wanted == [])
        #expect(bench.machine.state == .cardPresent)
        bench.send(.empty)
        #expect(bench.machine.state == .ready)
    }

    @Test(arguments: [(Int64(299), false), (300, true)])
    func aPhoneThatHadItsResultMustBeAwayFor300Milliseconds(away: Int64, isServed: Bool) throws {
        let bench = try serving()
        bench.end(.done)
        bench.send(.empty)
        bench.phase = .polling
        bench.pass(away)
        _ = bench.drainWanted()
        try bench.present(2)
        let expected = isServed ? [.serve(try ChipMachineBench.card(2))] : end(2, .holdUntilAway)
        #expect(bench.drainWanted() == expected)
    }

    @Test func aPhoneFoundAgainWithoutAnEmptyCycleWasNotAway() throws {
        let bench = try serving()
        bench.end(.done)
        bench.pass(10_000)
        _ = bench.drainWanted()
        try bench.present(2)
        #expect(bench.drainWanted() == end(2, .holdUntilAway))
    }

    /// One is lifted and the next comes at once and stays: the chip sees no empty field in between, or one empty cycle.
    @Test(arguments: [ReportedCard.Kind.isoDEP, .plain], [true, false])
    func whoeverElseComesAtOnceIsReadAtOnce(kind: ReportedCard.Kind, hasEmptyCycle: Bool) throws {
        let bench = try ChipMachineBench.open(uidOnlyCards: true)
        bench.send(.card(try ChipMachineBench.card(1, kind)))
        bench.end(.done)
        if hasEmptyCycle { bench.send(.empty) }
        bench.phase = .polling
        bench.pass(200)
        _ = bench.drainWanted()
        let next = try ChipMachineBench.card(2, kind, number: [8, 4, 5, 6])
        bench.send(.card(next))
        #expect(bench.drainWanted() == [.serve(next)])
        #expect(bench.machine.mayBeTheSame, "a phone makes its number up")
        bench.end(.done)
        #expect(bench.drainWanted() == end(2, .holdUntilAway))
        bench.send(.card(try ChipMachineBench.card(3, kind, number: [8, 4, 5, 6])))
        #expect(bench.drainWanted() == end(3, .holdUntilAway), "the pause of the one that was read goes on")
    }

    @Test func aPhoneInTheFieldIsServedWhenItsCooldownEnds() throws {
        let bench = try serving()
        bench.end(.again(afterMilliseconds: 2_000))
        #expect(bench.drainWanted() == end(1, .holdUntilAway))
        let (milliseconds, actions) = bench.nextWanted()
        #expect(milliseconds == 2_000)
        #expect(actions == end(1, .pollOn))
        bench.phase = .polling
        let wanted = bench.wanted(within: 150)
        #expect(wanted == [])
        try bench.present(2)
        #expect(try bench.drainWanted() == serve(2))
    }

    @Test func aPhoneThatLeavesDuringItsCooldownIsServedWhenItComesBack() throws {
        let bench = try serving()
        bench.end(.again(afterMilliseconds: 2_000))
        bench.send(.empty)
        bench.phase = .polling
        bench.pass(100)
        _ = bench.drainWanted()
        try bench.present(2)
        #expect(try bench.drainWanted() == serve(2))
    }

    @Test func aPhoneThatIsFoundSoonIsKeptWaiting() throws {
        let bench = try serving()
        bench.end(.interrupted)
        #expect(bench.drainWanted() == end(1, .pollOn))
        bench.pass(40)
        try bench.present(2)
        #expect(bench.drainWanted() == [])
        let (milliseconds, actions) = bench.nextWanted()
        #expect(milliseconds == 60)
        #expect(try actions == serve(2))
    }

    @Test func aPresentationThatBreaksOffThreeTimesIsOver() throws {
        let bench = try serving()
        for presentation in UInt32(2)...3 {
            bench.end(.interrupted)
            bench.phase = .polling
            bench.pass(150)
            _ = bench.drainWanted()
            try bench.present(presentation)
            #expect(try bench.drainWanted() == serve(presentation))
        }
        bench.end(.interrupted)
        #expect(bench.drainWanted() == end(3, .pollOn))
        try bench.present(4)
        #expect(bench.drainWanted() == end(4, .holdUntilAway))
    }

    @Test func aPhoneThatIsNoLongerWithTheGateCannotBeAsked() throws {
        let bench = try serving()
        try bench.present(2)
        let refusal = bench.ask()
        #expect(refusal?.code == "link-card-gone")
        bench.end(.interrupted)
        bench.pass(100)
        // The one that is over needs no end, the one that is there is served.
        #expect(try bench.drainWanted() == serve(2))
    }

    @Test func aLateAnswerIsNobodys() throws {
        let bench = try serving()
        _ = bench.ask()
        bench.machine.abandons()
        let second = bench.ask()
        #expect(second == .timedOut)
        bench.end(.done)
        _ = bench.drainWanted()
        try bench.answer(1)
        #expect(bench.removeResult() == nil)
        bench.send(.empty)
        bench.phase = .polling
        bench.pass(300)
        #expect(bench.drainWanted() == [])
        try bench.present(2)
        _ = bench.drainWanted()
        let asked = bench.ask()
        #expect(asked == nil)
        #expect(bench.removeResult() == nil)
    }

    @Test func uidOnlyCardsAreServedWhereTheyAreAskedFor() throws {
        let bench = try ChipMachineBench.open(uidOnlyCards: true)
        let card = try ChipMachineBench.card(1, .plain)
        bench.send(.card(card))
        #expect(bench.drainWanted() == [.serve(card)])
    }

    /// A card in the case of a phone: the chip finds now the one, now the other.
    @Test func aPhoneIsServedBesideACardThatHadItsResult() throws {
        let bench = try ChipMachineBench.open(uidOnlyCards: true)
        let card = try ChipMachineBench.card(1, .plain)
        bench.send(.card(card))
        #expect(bench.drainWanted() == [.serve(card)])
        bench.end(.done)
        #expect(bench.drainWanted() == end(1, .holdUntilAway))
        try bench.present(2)
        #expect(try bench.drainWanted() == serve(2))
        bench.end(.done)
        #expect(bench.drainWanted() == end(2, .holdUntilAway))
    }

    /// T9 holds for each of the two.
    @Test func neitherIsServedAgainBecauseTheOtherWasFoundInBetween() throws {
        let bench = try ChipMachineBench.open(uidOnlyCards: true)
        bench.send(.card(try ChipMachineBench.card(1, .plain)))
        bench.end(.done)
        try bench.present(2)
        bench.end(.done)
        _ = bench.drainWanted()
        for presentation in UInt32(3)...8 {
            let kind: ReportedCard.Kind = presentation % 2 == 0 ? .isoDEP : .plain
            bench.pass(100)
            bench.send(.card(try ChipMachineBench.card(presentation, kind)))
            #expect(bench.drainWanted() == end(presentation, .holdUntilAway))
        }
        bench.send(.empty)
        bench.phase = .polling
        bench.pass(PresenceRule.awayMilliseconds)
        try bench.present(9)
        #expect(try bench.drainWanted() == serve(9))
    }

    @Test func aCardLeftLyingIsReadOnce() throws {
        let bench = try ChipMachineBench.open(uidOnlyCards: true)
        bench.send(.card(try ChipMachineBench.card(1, .plain)))
        bench.end(.done)
        _ = bench.drainWanted()
        bench.send(.card(try ChipMachineBench.card(2, .plain)))
        #expect(bench.drainWanted() == end(2, .holdUntilAway))
    }

    @Test func theNextPhoneIsServedAsLongAsTheReaderLives() throws {
        let bench = try ChipMachineBench.open()
        for presentation in UInt32(1)...200 {
            try bench.present(presentation)
            #expect(try bench.drainWanted() == serve(presentation))
            _ = bench.ask()
            try bench.answer(presentation)
            _ = bench.drainWanted()
            bench.end(.done)
            bench.pass(500)
            bench.send(.empty)
            bench.phase = .polling
            bench.pass(500)
            #expect(bench.drainWanted() == end(presentation, .holdUntilAway))
        }
        #expect(bench.machine.ladder.counts == RecoveryCounts())
        #expect(bench.notes == [])
    }
}
