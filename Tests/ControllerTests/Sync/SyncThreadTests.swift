import ControlProtocol
import Encoding
import Testing
import Threads
import Waits

@testable import Controller
@testable import Sync

/// The thread that synchronises, with runs that fetch nothing (S3).
@Suite struct SyncThreadTests {
    private func end(_ run: SyncPlan.Run, _ failure: SyncFailure?) -> SyncReport.End {
        SyncReport.End(run: run.number, time: 0, milliseconds: 0, requests: 0, bytes: 0, way: "whole", failure: failure)
    }

    /// Whoever waits for a whole that takes longer than the interval once had to wait for it with `sync --wait`, and still does.
    @Test func whoWaitsForARunThatGaveWayHearsOfTheEndOfTheNext() throws {
        let runs = Monitor<[SyncPlan.Run]>([])
        let thread = SyncThread(
            SyncPlan(period: 3_600_000, hasData: false, spread: 0, at: MonotonicTime.milliseconds, random: 0), from: "https://gates.example", past: nil,
            bell: try SyncBell(), loops: Loops(), sign: { nil }, work: SyncThread.Work(
                run: { [end] run, _, _, givesWay in
                    let count = runs.change { runs -> Int in
                        runs.append(run)
                        return runs.count
                    }
                    return end(run, count == 1 && !givesWay() ? .gaveWay : nil)
                }, rest: {}, asked: {}, hasData: { true }, remember: { _ in }))
        try thread.start()
        defer { thread.stop() }
        let answer = try thread.report.wait(for: "the end of the second run") { report in report.json(ofRun: 1)["ended"]?.bool == true ? report.json(ofRun: 1) : nil }
        #expect(answer["run"]?.integer == 2 && answer["failure"] == nil)
        #expect(runs.withLock { $0 }.map(\.cause) == [.noData, .resume])
        #expect(thread.report.withLock { $0 }.trouble == nil)
    }
}
