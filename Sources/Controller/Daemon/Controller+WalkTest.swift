import ControlProtocol
import Encoding
import Gate
import Lanes
import Storage
import Threads

extension Controller {
    /// Begins, follows or ends the walk test of a lane (O2). Answers at once.
    /// - Parameter requester: who asks, for the journal.
    func walkTest(_ request: WalkTestRequest, requester: Requester) throws(ControlError) -> JSON {
        let layout = self.layout.withLock { $0 }
        guard let lane = layout.lanes[request.lane], let settings = layout.configuration.lanes.first(where: { $0.name == request.lane })
        else { throw .laneUnknown(request.lane, known: layout.configuration.lanes.map(\.name)) }
        switch request.action {
        case .begin(let wait):
            let steps = WalkStep.all(of: settings, in: layout.configuration, withInputs: wait > 0)
            return try begin(steps, on: lane, inputMilliseconds: wait, requester: requester).follow(after: 0)
        case .follow(let number, let after):
            return try test(number, of: lane).follow(after: Int(clamping: after))
        case .skip(let number):
            let test = try test(number, of: lane)
            test.skip()
            return ["test": .integer(number)]
        case .stop(let number):
            try test(number, of: lane).stop(.stopped)
            return ["test": .integer(number)]
        }
    }

    private func begin(_ steps: [WalkStep], on lane: LaneRunner, inputMilliseconds: Int64, requester: Requester) throws(ControlError) -> WalkTest {
        var timing = WalkTiming()
        timing.input = inputMilliseconds
        let name = lane.name
        do throws(WalkRefusal) {
            let test = try lane.beginWalkTest(steps, timing: timing, loops: parts.heartbeat.loops) { [parts] end, results in
                Self.reportWalk(end, results, of: steps.count, lane: name, requester: requester, parts)
            }
            parts.recorder.record(.service, "walk-test-began", lane: name, detail: requester.detail)
            parts.logs.log("lines").notice("lane \(name): out of service for a walk test")
            parts.events.emit(.test, ["lane": .string(name), "state": "began"])
            return test
        } catch {
            throw error.controlError
        }
    }

    private func test(_ number: Int64, of lane: LaneRunner) throws(ControlError) -> WalkTest {
        guard let test = lane.walkTest, test.number == number else {
            throw ControlError(code: "test-unknown", message: "There is no such walk test: the gate was started again, or another one has begun.")
        }
        return test
    }

    private static func reportWalk(_ end: WalkEnd, _ results: [WalkResult], of steps: Int, lane: String, requester: Requester, _ parts: GateParts) {
        let good = results.count { $0.verdict == .ok }, skipped = results.count { $0.verdict == .skipped }
        let bad = results.count - good - skipped
        var detail = requester.detail
        detail["steps"] = .unsigned(UInt64(steps))
        detail["ok"] = .unsigned(UInt64(good))
        detail["skipped"] = .unsigned(UInt64(skipped))
        detail["wrong"] = .unsigned(UInt64(bad))
        parts.recorder.record(.service, "walk-test-ended", lane: lane, reason: end.rawValue, detail: detail)
        parts.logs.log("lines").notice("lane \(lane): walk test ended (\(end.rawValue)): \(good) of \(steps) as expected")
        parts.events.emit(.test, ["lane": .string(lane), "state": "ended", "result": .string(end.rawValue)])
    }

    /// Milliseconds that a stop waits for all walk tests together.
    private static let stopPatience: Int64 = 2000

    /// Ends every walk test: the gate stops.
    func stopWalkTests() {
        for lane in layout.withLock({ $0.lanes }).values { lane.walkTest?.stop(.gateStops) }
    }

    /// Waits for their ends, once every relay is de-energised.
    func waitForWalkTests() {
        let deadline = MonotonicTime.milliseconds + Self.stopPatience
        for lane in layout.withLock({ $0.lanes }).values {
            lane.walkTest?.waitForEnd(byMonotonicMilliseconds: deadline)
            // Each holds the other.
            lane.walk.withLock { $0.test = nil }
        }
    }
}
