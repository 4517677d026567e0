import Storage
import Testing

@testable import Controller
@testable import Lanes
@testable import Site

/// A process may run one gate after the other: tests, benchmarks and the demonstration do.
@Suite("A gate that was stopped") struct StoppedGateTests {
    @Test func nothingOfItStays() throws {
        weak var gate: Controller?
        weak var lane: LaneRunner?
        weak var journal: Journal?
        weak var housekeeper: Housekeeper?
        weak var plans: PlanRunner?
        do {
            let site = try TestSite()
            let started = try site.controller()
            gate = started
            lane = started.layout.withLock { $0.lanes["main"] }
            journal = started.parts.journal
            housekeeper = started.parts.housekeeper
            plans = started.parts.plans
            #expect(lane != nil && journal != nil)
        }
        #expect(gate == nil && lane == nil && journal == nil && housekeeper == nil && plans == nil)
    }
}
