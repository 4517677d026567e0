import ControlProtocol
import Encoding
import Gate
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
                Self.tell(end, results, of: steps.count, lane: name, requester: requester, parts)
            }
            parts.record(.service, "walk-test-began", lane: name, detail: requester.detail)
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

    private static func tell(_ end: WalkEnd, _ results: [WalkResult], of steps: Int, lane: String, requester: Requester, _ parts: GateParts) {
        let good = results.count { $0.verdict == .ok }, skipped = results.count { $0.verdict == .skipped }
        let bad = results.count - good - skipped
        var detail = requester.detail
        detail["steps"] = .unsigned(UInt64(steps))
        detail["ok"] = .unsigned(UInt64(good))
        detail["skipped"] = .unsigned(UInt64(skipped))
        detail["wrong"] = .unsigned(UInt64(bad))
        parts.record(.service, "walk-test-ended", lane: lane, reason: end.rawValue, detail: detail)
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

/// Why a walk test is over.
enum WalkEnd: String, Sendable {
    /// Every step was taken.
    case done
    /// Whoever asked for it ended it.
    case stopped
    /// Whoever asked for it has not asked how far it is for a while.
    case abandoned
    /// Fire or a lockdown has taken the lane.
    case overridden
    /// The gate stops.
    case gateStops = "gate-stops"
}

/// How long a walk test gives its steps, in milliseconds.
struct WalkTiming: Equatable, Sendable {
    /// A relay is energised.
    var relay: Int64 = 500
    /// A light is on: long enough to look for it.
    var light: Int64 = 1000
    /// A switched line is the other way.
    var output: Int64 = 500
    /// Between two steps.
    var gap: Int64 = 300
    /// An input is waited for.
    var input: Int64 = 20_000
    /// Nobody has asked how far it is: whoever began it has gone.
    var patience: Int64 = 5000
}

/// Why a walk test does not begin.
enum WalkRefusal: Error, Equatable {
    /// The lane is being tried already.
    case running
    /// The lane lets somebody through, is open, or locked down.
    case lane(LaneRefusal)
    /// The machine grants no thread.
    case system(SystemError)

    /// For whoever asked.
    var controlError: ControlError {
        switch self {
        case .running: ControlError(code: "test-running", message: "Somebody tries this lane already; that ends by itself.")
        case .lane(let refusal): ControlError(code: refusal.code, message: refusal.message)
        case .system(let error): ControlError(code: error.code, message: error.message)
        }
    }
}
