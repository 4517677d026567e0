import Gate
import Testing

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

@Suite("Of which hang-ups the log is told") struct HangUpTallyTests {
    private func remainder(_ tally: inout HangUpTally, at time: Int64) -> [String] {
        tally.remainder(at: at(time)).map { "\($0.refusal.code) \($0.untold)" }
    }

    @Test func theFirstOfEachKindIsToldAtOnce() {
        var tally = HangUpTally()
        for refusal in LinkRefusal.allCases { #expect(tally.hangUp(refusal, at: at(7)) == 0) }
        #expect(tally.nextChange == nil, "nothing was left out")
    }

    @Test func thoseOfTheNextMinuteAreCountedAndToldTogether() {
        var tally = HangUpTally()
        #expect(tally.hangUp(.tooFar, at: at(0)) == 0)
        for time in 1...30 { #expect(tally.hangUp(.tooFar, at: at(Int64(time) * 1000)) == nil) }
        #expect(tally.hangUp(.silent, at: at(31_000)) == 0, "another kind")
        #expect(tally.nextChange == at(60_000))
        #expect(remainder(&tally, at: 59_999) == [])
        #expect(remainder(&tally, at: 60_000) == ["ble-too-far 30"])
        #expect(tally.nextChange == nil && remainder(&tally, at: 60_001) == [])
    }

    @Test func aLineOfTheRemainderBeginsAMinuteToo() {
        var tally = HangUpTally()
        _ = tally.hangUp(.tooFar, at: at(0))
        _ = tally.hangUp(.tooFar, at: at(1))
        _ = tally.remainder(at: at(60_000))
        #expect(tally.hangUp(.tooFar, at: at(119_999)) == nil)
        #expect(remainder(&tally, at: 120_000) == ["ble-too-far 1"])
    }

    @Test func afterAQuietMinuteTheNextIsToldAtOnce() {
        var tally = HangUpTally()
        _ = tally.hangUp(.late, at: at(0))
        #expect(tally.hangUp(.late, at: at(60_000)) == 0)
        #expect(tally.hangUp(.late, at: at(60_001)) == nil)
        #expect(tally.hangUp(.late, at: at(120_000)) == 1, "and with those that nobody has asked for in time")
        #expect(tally.nextChange == nil)
    }

    @Test func aStrangerWhoComesTenTimesASecondMakesOneLineAMinute() {
        var tally = HangUpTally()
        var lines = 0, told = 0
        for time in stride(from: Int64(0), to: 3_600_000, by: 100) {
            for (_, untold) in tally.remainder(at: at(time)) { (lines, told) = (lines + 1, told + untold) }
            if let untold = tally.hangUp(.tooMany, at: at(time)) { (lines, told) = (lines + 1, told + untold + 1) }
        }
        for (_, untold) in tally.remainder(at: at(3_600_000)) { (lines, told) = (lines + 1, told + untold) }
        #expect(lines == 61 && told == 36_000, "each is counted once")
    }
}
