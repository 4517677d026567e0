import Testing

@testable import Readers

@Suite("The steps that bring a reader back (O5)")
struct RecoveryLadderTests {
    static let everything = RecoveryMeans(hasResetLine: true, hasPort: true)

    /// The next step and how long it kept us waiting; nil when there is none.
    private func next(_ ladder: inout RecoveryLadder, _ now: inout Int64) -> String? {
        let start = now
        while true {
            switch ladder.step(at: now) {
            case .run(let rung): return "\(rung.rawValue) \(now - start)"
            case .wait(until: nil): return nil
            case .wait(until: .some(let time)): now = time
            }
        }
    }

    /// The steps that so many faults of a kind lead to, each coming as soon as a step was taken.
    private func steps(_ need: RecoveryLadder.Need, _ count: Int, _ means: RecoveryMeans = everything) -> [String] {
        var (ladder, now) = (RecoveryLadder(means), Int64(5_000))
        return (0..<count).map { _ in
            ladder.fault(need, at: now)
            let step = next(&ladder, &now) ?? "nothing"
            for rung in RecoveryRung.allCases { ladder.done(rung, at: now) }
            return step
        }
    }

    @Test func aReaderThatWorksNeedsNone() {
        var ladder = RecoveryLadder(Self.everything)
        ladder.healthy(at: 1)
        let step = ladder.step(at: .max)
        #expect(step == .wait(until: nil))
        #expect(ladder.climb == nil)
        #expect(ladder.nextStep == nil)
    }

    @Test func theyGrowHarsherAndThePausesLonger() {
        let steps = steps(.chip, 10)
        #expect(steps == ["abort 0", "reopen 100", "reset-line 200", "reauthorise 400", "restart 800", "reopen 1000", "reset-line 1000",
                          "reauthorise 1000", "restart 1000", "reopen 1000"])
    }

    @Test func whatIsNotThereIsLeftOut() {
        #expect(steps(.chip, 5, RecoveryMeans()) == ["abort 0", "reopen 100", "restart 200", "reopen 400", "restart 800"])
        #expect(steps(.chip, 4, RecoveryMeans(hasResetLine: true)) == ["abort 0", "reopen 100", "reset-line 200", "restart 400"])
        #expect(steps(.chip, 4, RecoveryMeans(hasPort: true)) == ["abort 0", "reopen 100", "reauthorise 200", "restart 400"])
    }

    @Test func noPauseIsLongerThanASecondHoweverLongItTakes() {
        #expect(steps(.chip, 10_002).suffix(4) == ["reset-line 1000", "reauthorise 1000", "restart 1000", "reopen 1000"])
    }

    @Test func aProgramThatCannotBeBelievedIsReplacedAtOnce() {
        #expect(steps(.program, 6) == ["restart 0", "restart 100", "restart 200", "restart 400", "restart 800", "restart 1000"])
    }

    @Test func aDeviceThatIsNotThereIsOnlyTriedAgain() {
        #expect(steps(.port, 6) == ["reopen 0", "reopen 100", "reopen 200", "reopen 400", "reopen 800", "reopen 1000"])
    }

    @Test func aChipThatIsNotOpenIsNotWoken() {
        #expect(steps(.closedChip, 6) == ["reopen 0", "reset-line 100", "reauthorise 200", "restart 400", "reopen 800", "reset-line 1000"])
        #expect(steps(.closedChip, 3, RecoveryMeans()) == ["reopen 0", "restart 100", "reopen 200"])
    }

    @Test func afterANewProgramTheChipIsOpenedAnew() {
        var (ladder, now) = (RecoveryLadder(Self.everything), Int64(0))
        ladder.fault(.program, at: now)
        let first = next(&ladder, &now)
        ladder.done(.restart, at: now)
        ladder.fault(.chip, at: now)
        let second = next(&ladder, &now)
        #expect([first, second] == ["restart 0", "reopen 100"])
    }

    @Test("A step that has not helped in its time has failed", arguments: [
        (0, Int64(500)), (1, 2_000), (2, 2_000), (3, 3_000), (4, 5_000)
    ])
    func patience(place: Int, milliseconds: Int64) {
        var (ladder, now) = (RecoveryLadder(Self.everything), Int64(0))
        for rung in RecoveryRung.allCases.prefix(place) {
            ladder.fault(.chip, at: now)
            _ = next(&ladder, &now)
            ladder.done(rung, at: now)
        }
        ladder.fault(.chip, at: now)
        _ = next(&ladder, &now)
        let rung = RecoveryRung.allCases[place]
        #expect(ladder.climb?.rung == rung)
        ladder.done(rung, at: now)
        #expect(ladder.isProving)
        let early = ladder.step(at: now + milliseconds - 1)
        #expect(early == .wait(until: now + milliseconds))
        #expect(ladder.climb?.rung == rung)
        _ = ladder.step(at: now + milliseconds)
        #expect(ladder.climb?.rung != rung)
        #expect(ladder.climb?.tries == place + 2)
    }

    @Test func aStepThatIsBeingTakenIsWaitedFor() {
        var (ladder, now) = (RecoveryLadder(), Int64(0))
        ladder.fault(.chip, at: now)
        _ = next(&ladder, &now)
        ladder.healthy(at: 10)
        let step = ladder.step(at: 1_000_000)
        #expect(step == .wait(until: nil))
        #expect(ladder.climb?.rung == .abort)
    }

    @Test func anotherStepThanTheOneBeingTakenCannotBeDone() {
        var (ladder, now) = (RecoveryLadder(), Int64(0))
        ladder.fault(.chip, at: now)
        _ = next(&ladder, &now)
        ladder.done(.restart, at: now)
        #expect(!ladder.isProving)
        ladder.done(.abort, at: now)
        #expect(ladder.isProving)
    }

    @Test func aReaderThatWorksAgainIsLeftAlone() {
        var (ladder, now) = (RecoveryLadder(), Int64(0))
        ladder.fault(.chip, at: now)
        _ = next(&ladder, &now)
        ladder.done(.abort, at: now)
        ladder.healthy(at: 400)
        let step = ladder.step(at: 1_000_000)
        #expect(step == .wait(until: nil))
        #expect(ladder.climb == nil)
    }

    @Test func aStepThatIsDueIsNotTakenOnceTheReaderWorks() {
        var (ladder, now) = (RecoveryLadder(), Int64(0))
        ladder.fault(.chip, at: now)
        _ = next(&ladder, &now)
        ladder.done(.abort, at: now)
        ladder.fault(.chip, at: 400)
        ladder.healthy(at: 450)
        let step = ladder.step(at: 500)
        #expect(step == .wait(until: nil))
        #expect(ladder.counts[.reopen] == 0)
    }

    @Test func aFaultThatIsAlreadySeenToDoesNotHastenAnything() {
        var (ladder, now) = (RecoveryLadder(), Int64(0))
        ladder.fault(.chip, at: now)
        _ = next(&ladder, &now)
        ladder.fault(.chip, at: 10)
        for time in Int64(11)...109 {
            ladder.fault(.chip, at: time)
            let step = ladder.step(at: time)
            #expect(step == .wait(until: 110))
        }
        #expect(ladder.climb?.tries == 2)
    }

    @Test func whoCannotHearIsNotToldAnything() {
        var (ladder, now) = (RecoveryLadder(), Int64(0))
        ladder.fault(.chip, at: now)
        _ = next(&ladder, &now)
        ladder.fault(.chip, at: 10)
        #expect(ladder.climb?.rung == .reopen)
        ladder.fault(.program, at: 20)
        now = 20
        let step = next(&ladder, &now)
        #expect(step == "restart 90")
    }

    @Test("Ten seconds of health, and it begins at the bottom", arguments: [(Int64(9_999), "reopen 100"), (10_000, "abort 0")])
    func calm(milliseconds: Int64, step: String) {
        var (ladder, now) = (RecoveryLadder(), Int64(0))
        ladder.fault(.chip, at: now)
        _ = next(&ladder, &now)
        ladder.done(.abort, at: now)
        ladder.healthy(at: 300)
        ladder.healthy(at: 5_000)
        now = 300 + milliseconds
        ladder.fault(.chip, at: now)
        let found = next(&ladder, &now)
        #expect(found == step)
    }

    @Test func everyStepIsCounted() {
        var (ladder, now) = (RecoveryLadder(Self.everything), Int64(0))
        for _ in 0..<9 {
            ladder.fault(.chip, at: now)
            _ = next(&ladder, &now)
        }
        #expect(RecoveryRung.allCases.map { ladder.counts[$0] } == [1, 2, 2, 2, 2])
    }
}
