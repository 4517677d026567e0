import ReaderProtocol
import Testing

@testable import ChipReaders

/// A phone in the field: commands, and what becomes of it afterwards.
@Suite struct PollingPhoneTests {
    private static let selection: [UInt8] = [0x00, 0xA4, 0x04, 0x00]
    private static let patience = AirPatience.exchange(milliseconds: 1_600)

    private static func failure(_ presentation: UInt32, _ cause: ExchangeFailure.Cause, _ number: Int8 = 0) -> ReaderReport {
        .failed(ExchangeFailure(presentation: presentation, cause: cause, number: number))
    }

    @Test func commandsAreCarriedOneByOne() throws {
        var player = try LoopPlayer.serving()
        for answer: [UInt8] in [[0x90, 0x00], [1, 2, 3, 0x61, 0x10]] {
            player.reply = .answer(answer)
            try player.command(1)
            #expect(player.drainReports() == [.answer(try ReaderAnswer(presentation: 1, apdu: answer))])
        }
        #expect(player.drainSteps() == [.exchange(Self.selection, Self.patience), .exchange(Self.selection, Self.patience)])
        #expect(player.loop.position.phase == .idle)
    }

    @Test func aCommandOfAnotherPresentationReachesNobody() throws {
        var player = try LoopPlayer()
        player.play(for: 10)
        _ = player.drainReports()
        try player.command(1)
        #expect(player.drainReports().contains(Self.failure(1, .gone)))
        player = try LoopPlayer.serving()
        try player.command(2)
        #expect(player.drainReports() == [Self.failure(2, .gone)])
        #expect(player.drainSteps() == [])
    }

    @Test func aUIDOnlyCardIsSentNothing() throws {
        var player = try LoopPlayer.serving(LoopPlayer.setup(plain: true), LoopPlayer.plain)
        try player.command(1)
        #expect(player.drainReports() == [Self.failure(1, .gone)])
        #expect(player.drainSteps() == [])
    }

    static let losses: [(Int64, Int32, ExchangeFailure.Cause)] = [
        (0, LibnfcNumber.air, .gone), (1_637, LibnfcNumber.air, .gone), (1_639, LibnfcNumber.air, .timedOut),
        (5, LibnfcNumber.released, .gone), (1_700, LibnfcNumber.released, .gone), (5, LibnfcNumber.invalid, .gone)
    ]

    /// The chip says the same of a phone that has gone and of one that computes for too long.
    @Test(arguments: losses)
    func aPhoneThatDoesNotAnswerIsGoneOrSlow(milliseconds: Int64, number: Int32, cause: ExchangeFailure.Cause) throws {
        var player = try LoopPlayer.serving()
        player.milliseconds = { _ in milliseconds }
        player.reply = .lost(number)
        try player.command(1)
        #expect(player.drainReports() == [Self.failure(1, cause, Int8(number))])
    }

    /// The presentation is still the gate's.
    @Test func afterAFailureTheGateDecides() throws {
        var player = try LoopPlayer.serving()
        player.reply = .lost(LibnfcNumber.air)
        try player.command(1)
        player.play(for: 10_000)
        #expect(player.loop.position.phase == .idle)
        player.reply = .answer([0x90, 0x00])
        _ = player.drainReports()
        try player.command(1)
        #expect(player.drainReports() == [.answer(try ReaderAnswer(presentation: 1, apdu: [0x90, 0x00]))])
    }

    @Test func aChipThatFailsInAnExchangeIsNamed() throws {
        var player = try LoopPlayer.serving()
        player.fault = (.exchange(Self.selection, Self.patience), .silent)
        try player.command(1)
        #expect(player.drainReports() == [Self.failure(1, .chip, -6)])
        player.fault = (.exchange(Self.selection, Self.patience), .portGone)
        try player.command(1)
        #expect(player.drainReports() == [Self.failure(1, .chip), .state(.failed(.portAbsent))])
    }

    /// An answer shorter than a status word is none.
    @Test func halfAStatusWordIsNoAnswer() throws {
        var player = try LoopPlayer.serving()
        player.reply = .answer([0x90])
        try player.command(1)
        #expect(player.drainReports() == [Self.failure(1, .gone, -20)])
    }

    // Afterwards ----------------------------------------------------------------------------------

    @Test func aPhoneThatIsLetGoIsFoundAgain() throws {
        var player = try LoopPlayer.serving()
        player.send(.end(presentation: 1, .pollOn))
        #expect(player.loop.position.phase == .polling)
        player.play(for: 100)
        #expect(player.drainSteps().prefix(3) == [.field(false), .patience(.polling), .field(true)])
        #expect(player.removeCard() == 2)
    }

    @Test func aPhoneThatIsHeldIsAskedUntilItHasGone() throws {
        var player = try LoopPlayer.serving()
        player.send(.end(presentation: 1, .holdUntilAway))
        player.play(for: 1_050)
        #expect(player.drainSteps() == [.patience(.asking)] + [PollingStep](repeating: .ask, count: 11))
        #expect(player.loop.position.phase == .holding)
        #expect(player.drainReports() == [])
        player.card = nil
        player.play(for: 200)
        #expect(player.drainSteps().prefix(4) == [.ask, .field(false), .patience(.polling), .field(true)])
        #expect(player.drainReports() == [.empty])
    }

    @Test func aPhoneThatIsHeldCanBeLetGo() throws {
        var player = try LoopPlayer.serving()
        player.send(.end(presentation: 1, .holdUntilAway))
        player.play(for: 500)
        _ = player.drainSteps()
        player.send(.end(presentation: 1, .pollOn))
        player.play(for: 100)
        #expect(player.drainSteps().prefix(3) == [.field(false), .patience(.polling), .field(true)])
        #expect(player.removeCard() == 2)
    }

    @Test func theEndOfAnotherPresentationMeansNothing() throws {
        var player = try LoopPlayer.serving()
        for after in AfterPresentation.allCases { player.send(.end(presentation: 7, after)) }
        #expect(player.loop.position.phase == .idle)
        player.send(.end(presentation: 1, .holdUntilAway))
        for after in AfterPresentation.allCases { player.send(.end(presentation: 7, after)) }
        #expect(player.loop.position.phase == .holding)
    }

    /// To be asked whether it is still there would cost it its session with nobody.
    @Test func aUIDOnlyCardThatStaysIsNotToldAgain() throws {
        var player = try LoopPlayer.serving(LoopPlayer.setup(plain: true), LoopPlayer.plain)
        player.send(.end(presentation: 1, .holdUntilAway))
        player.play(for: 2_000)
        #expect(player.drainReports() == [])
        #expect(!player.drainSteps().contains(.ask))
        player.card = nil
        player.play(for: 400)
        #expect(player.drainReports() == [.empty])
        player.card = LoopPlayer.plain
        player.play(for: 400)
        #expect(player.removeCard() == 2)
    }

    @Test func anotherUIDOnlyCardIsTold() throws {
        var player = try LoopPlayer.serving(LoopPlayer.setup(plain: true), LoopPlayer.plain)
        player.send(.end(presentation: 1, .holdUntilAway))
        player.card = FoundCard(answerToRequest: 0x0004, selectAcknowledge: 0x08, identifier: [1, 2, 3, 4], answerToSelect: [])
        player.play(for: 400)
        #expect(player.removeCard() == 2)
    }

    @Test func anAbortEndsThePresentationAndPollsOn() throws {
        var player = try LoopPlayer.serving()
        player.card = nil
        player.send(.abort)
        player.play(for: 100)
        #expect(player.drainSteps().first == .field(false))
        #expect(player.drainReports() == [.empty])
        player.send(.abort)
        player.play(for: 300)
        #expect(player.drainReports() == [.empty])
    }

    @Test func aHeldPhoneWhoseChipFailsIsFoundAnew() throws {
        var player = try LoopPlayer.serving()
        player.send(.end(presentation: 1, .holdUntilAway))
        player.play(for: 300)
        player.fault = (.ask, .silent)
        player.play(for: 150)
        #expect(player.loop.position.faults == 1)
        player.fault = nil
        player.play(for: 300)
        #expect(player.removeCard() == 2)
    }

    @Test func itSaysForHowLongItHasBeenAtIt() throws {
        var player = try LoopPlayer.serving()
        #expect(player.loop.position.beat(at: player.now + 9_000).milliseconds == 0)
        player.send(.command(try ReaderCommand(presentation: 1, apdu: Self.selection)))
        let beat = player.loop.position.beat(at: player.now + 700)
        #expect(beat.phase == .exchanging)
        #expect(beat.milliseconds == 700)
        #expect(player.loop.position.beat(at: player.now + 700_000).milliseconds == .max)
    }
}
