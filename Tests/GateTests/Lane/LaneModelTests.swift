import Gate
import LaneModel
import Testing

/// Random lives of lanes against an oracle and laws (L1, L3, L4, L5, V7, T7, T8, T9). `make test` goes through a million
/// steps in an optimised build (`Fuzzing/run lanes`).
@Suite("Lanes at random") struct LaneModelTests {
    @Test func noLawIsBroken() throws {
        let sights = try LaneModel.run(60_000, seed: 1)
        #expect(sights.states.count == 12, "\(sights.states)")
        #expect(sights.findings == Set(PassageFinding.allCases))
        #expect(sights.alarms == Set(AlarmCause.allCases))
        #expect(sights.conditions.count == 8, "\(sights.conditions)")
        #expect(sights.refusals.count == 4)
        #expect(sights.tests > 50)
        #expect(sights.commands > 50)
    }
}
