import ControlProtocol
import Encoding
import Foundation
import Service
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

    /// Putting site data to use may take its time. Whoever could still ask would open a lane of a gate that is at rest, and be told that it is so.
    @Test func nobodyCanAskWhileNewSiteDataAreWaitedFor() throws {
        let site = try TestSite()
        let gate = try site.controller()
        var told: [String] = []
        gate.stop { told.append($0) }
        let silent = try #require(told.firstIndex(of: "control sockets ends"))
        let waited = try #require(told.firstIndex(of: "new site data ends"))
        let closed = try #require(told.firstIndex(of: "journal ends"))
        #expect(silent < waited && waited < closed)
    }

    /// A disk that is slow keeps no relay energised.
    @Test func theClockIsKeptWhenEveryLineIsAtItsSafeLevel() throws {
        let site = try TestSite()
        let gate = try site.controller()
        let file = site.path("state/clock")
        var told: [String] = []
        gate.stop { step in
            told.append(step)
            if step == "clock ends" { try? FileManager.default.removeItem(atPath: file) }
        }
        let released = try #require(told.firstIndex(of: "lines comes to rest"))
        let kept = try #require(told.firstIndex(of: "clock ends"))
        let waited = try #require(told.firstIndex(of: "new site data ends"))
        #expect(released < kept && FileManager.default.fileExists(atPath: file))
        #expect(kept < waited, "systemd may end the gate while it waits")
    }

    /// systemd starts one again and again that cannot start: its journal would be full of ends in the morning.
    @Test func oneThatDidNotStartRecordsNoEnd() throws {
        let site = try TestSite()
        let folder = site.path("control.sock")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        #expect(throws: StartError.self) { try site.controller() }
        try FileManager.default.removeItem(atPath: folder)
        let told = try site.controller().records().compactMap { $0["detail"]?["what"]?.string }
        #expect(told.contains("started") && !told.contains("stopped"))
    }

    /// The control socket answers while readers are still being started.
    @Test func whoAsksBeforeItSynchronisesIsToldToTryAgain() throws {
        let site = try TestSite()
        let gate = try site.controller()
        gate.stop()
        #expect(throws: ControlError(code: "gate-not-ready", message: "")) { try gate.importFolder(descriptor: -1) }
    }
}
