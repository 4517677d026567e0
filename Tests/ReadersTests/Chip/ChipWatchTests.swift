import ReaderProtocol
import Testing

@testable import Readers

@Suite("Finding a chip, or its program, that is silent or babbles (O5)")
struct ChipWatchTests {
    static func setup() throws -> ReaderSetup {
        try ReaderSetup(device: "d", wakeUpFrame: [], cycleMilliseconds: 200, exchangeMilliseconds: 1_600)
    }

    private func beat(_ phase: ReaderPhase, _ milliseconds: UInt16 = 0, cycles: UInt32 = 0, faults: UInt32 = 0) -> ReaderReport {
        .beat(ReaderBeat(phase: phase, milliseconds: milliseconds, cycles: cycles, faults: faults))
    }

    /// A watch whose program has begun at time 0 and given its first sign of life.
    private func watch(_ phase: ReaderPhase = .polling) throws -> ChipWatch {
        var watch = ChipWatch(try Self.setup(), now: 0)
        let fault = watch.handle(beat(phase), now: 0)
        #expect(fault == nil)
        return watch
    }

    @Test func aProgramHasThreeSecondsToStart() throws {
        let watch = ChipWatch(try Self.setup(), now: 10)
        #expect(watch.next(whileItWaits: false) == 3_010)
        #expect(watch.late(at: 3_009, whileItWaits: false) == nil)
        #expect(watch.late(at: 3_010, whileItWaits: false) == .programSilent)
    }

    @Test func aProgramThatHasStartedGivesASignOfLifeEverySecond() throws {
        var watch = try watch()
        for time in stride(from: Int64(900), through: 9_000, by: 900) {
            #expect(watch.late(at: time, whileItWaits: true) == nil)
            _ = watch.handle(beat(.polling, cycles: UInt32(time)), now: time)
        }
        #expect(watch.late(at: 9_999, whileItWaits: true) == nil)
        #expect(watch.late(at: 10_000, whileItWaits: true) == .programSilent)
        #expect(watch.next(whileItWaits: true) == 10_000)
    }

    @Test func onlyABeatIsASignOfLife() throws {
        var watch = try watch()
        _ = watch.handle(.empty, now: 900)
        #expect(watch.late(at: 1_000, whileItWaits: false) == .programSilent)
    }

    @Test("A cycle takes 1.5 s at most, as the program tells it", arguments: [ReaderPhase.polling, .holding])
    func longStep(phase: ReaderPhase) throws {
        var watch = try watch(phase)
        _ = watch.handle(beat(phase, 700, cycles: 5), now: 900)
        #expect(watch.late(at: 1_699, whileItWaits: false) == nil)
        #expect(watch.late(at: 1_700, whileItWaits: false) == .chipSilent)
        #expect(watch.next(whileItWaits: false) == 1_700)
        #expect(watch.late(at: 1_700, whileItWaits: true) == nil)
    }

    /// libnfc takes 1.47 s to find that nothing answers, and says so itself.
    @Test func openingTheChipTakesTwoSecondsAtMost() throws {
        var watch = try watch()
        _ = watch.handle(.state(.opening), now: 100)
        #expect(watch.next(whileItWaits: false) == 1_000)
        _ = watch.handle(beat(.opening, 800), now: 900)
        _ = watch.handle(beat(.opening, 1_650), now: 1_750)
        #expect(watch.late(at: 2_099, whileItWaits: false) == nil)
        #expect(watch.late(at: 2_100, whileItWaits: false) == .chipSilent)
        _ = watch.handle(.state(.failed(.chipSilent)), now: 2_100)
        #expect(watch.next(whileItWaits: false) == 2_750)
    }

    @Test func aChipThatWasOpenedHasACyclesTimeAgain() throws {
        var watch = try watch(.opening)
        _ = watch.handle(.state(.open(ChipFirmware("PN532 v1.6"))), now: 100)
        _ = watch.handle(.state(.opening), now: 200)
        _ = watch.handle(.state(.open(ChipFirmware("PN532 v1.6"))), now: 300)
        _ = watch.handle(beat(.polling, 0), now: 900)
        _ = watch.handle(beat(.polling, 0), now: 1_700)
        #expect(watch.late(at: 2_399, whileItWaits: false) == nil)
        #expect(watch.late(at: 2_400, whileItWaits: false) == .chipSilent)
    }

    @Test("A program that goes on saying the same does nothing", arguments: ReaderPhase.allCases)
    func standstill(phase: ReaderPhase) throws {
        var watch = try watch(phase)
        let limit: Int64 = phase == .opening ? 2_000 : 1_500
        for time in stride(from: Int64(250), to: limit, by: 250) {
            _ = watch.handle(beat(phase), now: time)
            #expect(watch.late(at: time, whileItWaits: false) == nil)
        }
        #expect(watch.late(at: limit - 1, whileItWaits: false) == nil)
        #expect(watch.late(at: limit, whileItWaits: false) == .chipSilent)
        // The gate has the phone.
        #expect(watch.late(at: limit, whileItWaits: true) == nil)
    }

    @Test func cyclesOrdersAndReportsAreMovement() throws {
        var watch = try watch()
        _ = watch.handle(beat(.polling, cycles: 1), now: 800)
        #expect(watch.late(at: 1_700, whileItWaits: false) == nil)
        _ = watch.handle(.empty, now: 1_600)
        _ = watch.handle(beat(.polling, cycles: 1), now: 1_700)
        #expect(watch.late(at: 2_600, whileItWaits: false) == nil)
        watch.notified(now: 2_600)
        _ = watch.handle(beat(.polling, cycles: 1), now: 2_650)
        _ = watch.handle(beat(.polling, cycles: 1), now: 3_600)
        #expect(watch.late(at: 4_099, whileItWaits: false) == nil)
        #expect(watch.late(at: 4_100, whileItWaits: false) == .chipSilent)
    }

    @Test func aCommandIsAnsweredHalfASecondAfterThePhonesTime() throws {
        var watch = try watch(.idle)
        watch.asked(now: 100)
        for time in stride(from: Int64(250), through: 2_000, by: 250) {
            _ = watch.handle(beat(.exchanging, UInt16(time - 100)), now: time)
            #expect(watch.late(at: time, whileItWaits: true) == nil)
        }
        #expect(watch.next(whileItWaits: true) == 2_200)
        #expect(watch.late(at: 2_199, whileItWaits: true) == nil)
        #expect(watch.late(at: 2_200, whileItWaits: true) == .chipSilent)
        let fault = watch.answered(byChip: true, now: 2_200)
        #expect(fault == nil)
        #expect(watch.late(at: 2_200, whileItWaits: true) == nil)
    }

    @Test func aCommandThatNobodyWaitsForIsNotLate() throws {
        var watch = try watch(.idle)
        watch.asked(now: 0)
        _ = watch.handle(beat(.exchanging), now: 2_000)
        watch.givesUp()
        #expect(watch.late(at: 2_100, whileItWaits: true) == nil)
    }

    @Test func threeFailuresInARowAreAFault() throws {
        var watch = try watch()
        let first = watch.handle(beat(.polling, faults: 1), now: 250)
        let second = watch.handle(beat(.polling, faults: 2), now: 500)
        let third = watch.handle(beat(.polling, faults: 3), now: 750)
        #expect([first, second, third] == [nil, nil, .chipFails])
    }

    @Test func failuresBetweenTwoBeatsAddUp() throws {
        var watch = try watch()
        let fault = watch.handle(beat(.polling, faults: .max), now: 250)
        #expect(fault == .chipFails)
    }

    @Test func failuresFromBeforeTheFirstBeatAreNotOurs() throws {
        var watch = ChipWatch(try Self.setup(), now: 0)
        let fault = watch.handle(beat(.polling, faults: 1_000), now: 100)
        #expect(fault == nil)
    }

    @Test func aCycleInBetweenForgivesThem() throws {
        var watch = try watch()
        for number in UInt32(1)...20 {
            let fault = watch.handle(beat(.polling, cycles: number / 2, faults: number), now: Int64(number) * 250)
            #expect(fault == nil)
        }
    }

    @Test func countsBeginAnewAtTheGreatestNumber() throws {
        var watch = ChipWatch(try Self.setup(), now: 0)
        _ = watch.handle(beat(.polling, cycles: .max, faults: .max), now: 0)
        let fault = watch.handle(beat(.polling, cycles: 0, faults: 1), now: 250)
        #expect(fault == nil)
        #expect(watch.isAtWork)
    }

    @Test func failedExchangesCountAndAnAnswerForgivesThem() throws {
        var watch = try watch()
        var faults: [ChipFault?] = []
        for isAnswered in [false, false, true, false, false, false] {
            watch.asked(now: 10)
            faults.append(watch.answered(byChip: isAnswered, now: 20))
        }
        #expect(faults == [nil, nil, nil, nil, nil, .chipFails])
    }

    @Test func aStepForgivesThemToo() throws {
        var watch = try watch()
        _ = watch.handle(beat(.polling, faults: 2), now: 250)
        watch.startsAnew(now: 260)
        let fault = watch.handle(beat(.polling, faults: 4), now: 500)
        #expect(fault == nil)
    }

    @Test func moreThan64ReportsInASecondAreTooMany() throws {
        var watch = ChipWatch(try Self.setup(), now: 0)
        for number in 1...64 {
            let fault = watch.handle(.empty, now: Int64(number))
            #expect(fault == nil)
        }
        let fault = watch.handle(.empty, now: 999)
        #expect(fault == .programBabbles)
    }

    @Test func sixtyFourASecondAreNot() throws {
        var watch = ChipWatch(try Self.setup(), now: 0)
        for number in 0..<6_400 {
            let fault = watch.handle(.empty, now: Int64(number) * 1_000 / 64)
            #expect(fault == nil)
        }
    }

    @Test func whatWasSaidWhileWeWereAwayMayComeAtOnce() throws {
        var watch = ChipWatch(try Self.setup(), now: 0)
        for _ in 0..<640 {
            let fault = watch.handle(.empty, now: 10_000)
            #expect(fault == nil)
        }
        let fault = watch.handle(.empty, now: 10_000)
        #expect(fault == .programBabbles)
    }
}
