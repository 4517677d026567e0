import Testing
@testable import Gate

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

private func pattern(_ steps: [(LampSet, Int64)], repeats: Bool) throws -> Pattern {
    try Pattern(try steps.map { try #require(PatternStep($0.0, length: $0.1)) }, repeats: repeats)
}

@Suite("Pattern player: steps at their time (L2)") struct PatternPlayerTests {
    @Test func stepsFollowOneAnotherAndBeginAgain() throws {
        let player = PatternPlayer(try pattern([(.red, 100), ([], 200), (.green, 300)], repeats: true), since: at(1000))
        #expect(player.lamps(at: at(1000)) == .red)
        #expect(player.lamps(at: at(1099)) == .red)
        #expect(player.lamps(at: at(1100)) == [])
        #expect(player.lamps(at: at(1299)) == [])
        #expect(player.lamps(at: at(1300)) == .green)
        #expect(player.lamps(at: at(1599)) == .green)
        #expect(player.lamps(at: at(1600)) == .red)
        #expect(player.nextChange(after: at(1000)) == at(1100))
        #expect(player.nextChange(after: at(1099)) == at(1100))
        #expect(player.nextChange(after: at(1100)) == at(1300))
        #expect(player.nextChange(after: at(1300)) == at(1600))
    }

    @Test func theLastStepStaysWhereNothingRepeats() throws {
        let player = PatternPlayer(try pattern([(.red, 100), ([], 100), (.green, 100)], repeats: false), since: at(0))
        #expect(player.lamps(at: at(200)) == .green)
        #expect(player.lamps(at: at(3_600_000)) == .green)
        #expect(player.nextChange(after: at(100)) == at(200))
        #expect(player.nextChange(after: at(200)) == nil)
        #expect(player.nextChange(after: at(3_600_000)) == nil)
    }

    @Test func aSteadySignalWakesNobody() throws {
        for repeats in [true, false] {
            let steady = PatternPlayer(try pattern([(.blue, 100), (.blue, 300)], repeats: repeats), since: at(0))
            #expect(steady.nextChange(after: at(0)) == nil)
            #expect(steady.nextChange(after: at(12345)) == nil)
        }
        #expect(PatternPlayer(Patterns.shipped(.ready), since: at(0)).nextChange(after: at(50)) == nil)
    }

    @Test func stepsThatChangeNothingArePassedOver() throws {
        let player = PatternPlayer(try pattern([(.red, 100), (.red, 100), ([], 100), (.red, 100)], repeats: true), since: at(0))
        #expect(player.nextChange(after: at(0)) == at(200))
        #expect(player.nextChange(after: at(200)) == at(300))
        #expect(player.nextChange(after: at(300)) == at(600), "the last step goes on into the first two")
        #expect(player.nextChange(after: at(450)) == at(600))
    }

    @Test func aThreadThatComesLateIsBackInTime() throws {
        let player = PatternPlayer(try pattern([(.red, 100), ([], 100)], repeats: true), since: at(7))
        // A hundred thousand steps, each of them played some time late: the wake-ups stay where they belong.
        var now = at(7)
        for number in 1...100_000 {
            guard let next = player.nextChange(after: now) else { return #expect(Bool(false), "it repeats") }
            guard next == at(7 + Int64(number) * 100) else { return #expect(next == at(7 + Int64(number) * 100)) }
            now = next + Int64(number % 90)
        }
        #expect(player.lamps(at: at(7 + 10_000_050)) == .red)
        #expect(player.lamps(at: at(7 + 10_000_150)) == [])
    }

    @Test func beforeItsBeginningTheFirstStepIsOn() throws {
        let player = PatternPlayer(try pattern([(.red, 100), ([], 100)], repeats: true), since: at(1000))
        #expect(player.lamps(at: at(990)) == .red)
        #expect(player.lamps(at: at(-5150)) == .red)
        #expect(player.nextChange(after: at(-5150)) == at(1100))
    }

    @Test func whatIsNoPatternIsRefused() throws {
        let red = try #require(PatternStep(.red, length: 100)), dark = try #require(PatternStep([], length: 100))
        #expect(throws: Pattern.Fault.empty) { try Pattern([], repeats: true) }
        #expect(throws: Pattern.Fault.dark) { try Pattern([dark], repeats: true) }
        #expect(throws: Pattern.Fault.dark) { try Pattern([red, dark], repeats: false) }
        #expect(throws: Pattern.Fault.tooLong) { try Pattern(Array(repeating: red, count: 65), repeats: true) }
        #expect(throws: Never.self) { try Pattern([red, dark], repeats: true) }
    }

    @Test func stepsLastMultiplesOfTheUnit() {
        #expect(PatternStep(.red, length: 0) == nil)
        #expect(PatternStep(.red, length: -100) == nil)
        #expect(PatternStep(.red, length: 150) == nil)
        #expect(PatternStep(.red, length: 60_100) == nil)
        #expect(PatternStep(.red, length: 60_000) != nil)
    }
}
