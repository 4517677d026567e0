import ReaderProtocol
import Testing

@testable import ChipReaders

/// Looking for phones: what is done in a cycle, when, and what the gate is told.
@Suite struct PollingCycleTests {
    static let cycle: [PollingStep] = [.field(true), .wholeFrames, .announce(LoopPlayer.wakeUp), .find, .field(false)]

    @Test func aCycleNamesTheGateAndAsksOnce() throws {
        var player = try LoopPlayer()
        player.play(for: 100)
        #expect(player.drainSteps() == [.open] + Self.cycle)
        #expect(player.drainReports() == [.state(.opening), .state(.open(ChipFirmware("PN532 v1.6"))), .empty])
    }

    @Test func withoutAnAnnouncementThereIsNothingToPrepare() throws {
        var player = LoopPlayer(try LoopPlayer.setup(wakeUp: []))
        player.play(for: 100)
        #expect(player.drainSteps() == [.open, .field(true), .find, .field(false)])
    }

    /// A card has 5 ms with the antenna on before anybody speaks to it.
    @Test func aCardHasTimeToWake() throws {
        var player = try LoopPlayer()
        player.play(for: 100)
        let on = try #require(player.done.first { $0.step == .field(true) })
        let spoken = try #require(player.done.first { $0.step == .wholeFrames })
        #expect(spoken.time - on.time >= 5)
    }

    /// A cycle begins when it is due, however long the one before took within its own time.
    @Test(arguments: [0, 3, 25]) func theRhythmDoesNotDrift(cost: Int) throws {
        var player = try LoopPlayer()
        player.milliseconds = { _ in Int64(cost) }
        player.play(for: 200 * 500)
        let times = player.done.filter { $0.step == .field(true) }.map(\.time)
        #expect(times.count >= 499)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 200 })
    }

    /// Where the chip needs longer than a cycle, the antenna is off in between all the same.
    @Test func aSlowChipStillRests() throws {
        var player = LoopPlayer(try LoopPlayer.setup(cycle: 50))
        player.milliseconds = { _ in 20 }
        player.play(for: 1_000)
        let offs = player.done.filter { $0.step == .field(false) }.map { $0.time + 20 }
        let ons = player.done.filter { $0.step == .field(true) }.map(\.time)
        #expect(offs.count > 3)
        #expect(zip(offs, ons.dropFirst()).allSatisfy { $1 - $0 >= PollingLoop.shortestRest })
    }

    @Test func anEmptyFieldIsToldOnce() throws {
        var player = try LoopPlayer()
        player.play(for: 5_000)
        #expect(player.reports.filter { $0 == .empty }.count == 1)
        #expect(player.loop.position.cycles == 25)
        #expect(player.loop.position.faults == 0)
    }

    @Test func aPhoneIsToldOfOnceTheChipIsPatient() throws {
        var player = try LoopPlayer()
        player.card = LoopPlayer.phone
        player.play(for: 5_000)
        #expect(player.drainSteps() == [.open] + Self.cycle.dropLast() + [.patience(.exchange(milliseconds: 1_600))])
        #expect(player.drainReports().dropFirst(2) == [.card(try ReportedCard(
            presentation: 1, kind: .isoDEP, atqa: 0x0004, sak: 0x20, uid: [8, 1, 2, 3], answerToSelect: [0x78, 0x80, 0x70, 0x02]))])
        #expect(player.loop.position.phase == .idle)
    }

    /// TA(1), the limit, and what is agreed on.
    static let rates: [(UInt8, ReaderBitRate, ReaderBitRate?)] = [
        (0x33, .kilobits106, nil), (0x33, .kilobits212, .kilobits212), (0x33, .kilobits424, .kilobits424),
        (0x11, .kilobits424, .kilobits212), (0x80, .kilobits424, nil), (0x30, .kilobits424, nil), (0x03, .kilobits424, nil)
    ]

    @Test(arguments: rates)
    func aFasterRateIsAgreedOnWhereBothWant(offer: UInt8, limit: ReaderBitRate, rate: ReaderBitRate?) throws {
        let phone = FoundCard(answerToRequest: 4, selectAcknowledge: 0x20, identifier: [8, 1, 2, 3], answerToSelect: [0x78, offer, 0x70, 0x02])
        var player = LoopPlayer(try LoopPlayer.setup(bitRate: limit))
        player.card = phone
        player.play(for: 100)
        #expect(player.done.compactMap { if case .agree(let rate) = $0.step { rate } else { nil } } == [rate].compactMap(\.self))
        #expect(player.done.last?.step == .patience(.exchange(milliseconds: 1_600)))
    }

    /// T0 without the bit says that there is no TA(1): what follows is something else.
    @Test func aRateThatIsNotOfferedIsNotRead() {
        let phone = FoundCard(answerToRequest: 4, selectAcknowledge: 0x20, identifier: [8, 1, 2, 3], answerToSelect: [0x08, 0x77])
        #expect(phone.bitRate(upTo: .kilobits424) == nil)
    }

    @Test func aUIDOnlyCardIsNobodyUnlessSwitchedOn() throws {
        var player = try LoopPlayer()
        player.card = LoopPlayer.plain
        player.play(for: 1_000)
        #expect(player.drainReports().dropFirst(2) == [.empty])
        player = LoopPlayer(try LoopPlayer.setup(plain: true))
        player.card = LoopPlayer.plain
        player.play(for: 1_000)
        #expect(player.drainReports().dropFirst(2) == [.card(try ReportedCard(
            presentation: 1, kind: .plain, atqa: 0x0044, sak: 0x08, uid: [4, 1, 2, 3, 4, 5, 6]))])
    }

    // Faults --------------------------------------------------------------------------------------

    @Test(arguments: cycle) func aCycleThatFailsIsCountedAndTheNextOneBeginsAnew(step: PollingStep) throws {
        var player = try LoopPlayer()
        player.play(for: 200)
        let before = player.loop.position
        player.fault = (step, .silent)
        player.play(for: 5 * 200)
        #expect(player.loop.position.faults >= 3)
        #expect(player.loop.position.phase == .polling)
        _ = (player.drainSteps(), player.drainReports())
        player.fault = nil
        player.play(for: 600)
        #expect(player.drainSteps().contains(.find))
        #expect(player.drainReports() == [])
        #expect(player.loop.position.cycles > before.cycles)
    }

    /// Nobody knows what the antenna does after a command that failed: a phone in it may be half awake.
    @Test func afterAFaultTheAntennaGoesOffFirst() throws {
        var player = try LoopPlayer()
        player.fault = (.find, .failed(-1))
        player.play(for: 50)
        _ = player.drainSteps()
        player.fault = nil
        player.play(for: 200)
        #expect(player.drainSteps().prefix(2) == [.field(false), .field(true)])
    }

    @Test func aCardThatCannotBeIsAFault() throws {
        var player = try LoopPlayer()
        player.card = FoundCard(answerToRequest: 4, selectAcknowledge: 0x20, identifier: [1, 2, 3], answerToSelect: [])
        player.play(for: 150)
        #expect(player.loop.position.faults == 1)
        #expect(player.drainReports().count == 2)
    }

    static let failures: [(ChipError, ChipFailure)] = [
        (.notOpened(.portAbsent), .portAbsent), (.notOpened(.portHeld), .portHeld), (.notOpened(.chipSilent), .chipSilent),
        (.silent, .chipSilent), (.failed(-1), .chipBabbles), (.babbles, .chipBabbles)
    ]

    @Test(arguments: failures)
    func aChipThatIsNotOpenedWaitsForTheGate(error: ChipError, failure: ChipFailure) throws {
        var player = try LoopPlayer()
        player.fault = (.open, error)
        player.play(for: 60_000)
        #expect(player.drainSteps() == [.open])
        #expect(player.drainReports() == [.state(.opening), .state(.failed(failure))])
        #expect(player.loop.position == PollingPosition())
        player.fault = nil
        player.send(.abort)
        player.play(for: 1_000)
        #expect(player.drainSteps() == [])
        player.send(.reopen)
        player.play(for: 100)
        #expect(player.drainReports() == [.state(.opening), .state(.open(ChipFirmware("PN532 v1.6"))), .empty])
    }

    @Test func aPortThatGoesIsToldAtOnce() throws {
        var player = try LoopPlayer()
        player.play(for: 100)
        _ = player.drainReports()
        player.fault = (.field(true), .portGone)
        player.play(for: 60_000)
        #expect(player.drainReports() == [.state(.failed(.portAbsent))])
        #expect(player.loop.position.phase == .idle)
    }

    @Test func aChipThatIsOpenedAnewLooksAnew() throws {
        var player = try LoopPlayer()
        player.play(for: 100)
        _ = (player.drainSteps(), player.drainReports())
        player.send(.reopen)
        #expect(player.loop.position.phase == .opening)
        player.play(for: 100)
        #expect(player.drainSteps() == [.open] + Self.cycle)
        #expect(player.drainReports().last == .empty)
    }
}
