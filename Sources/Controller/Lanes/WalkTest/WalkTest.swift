import ControlProtocol
import Encoding
import Gate
import Lines
import Threads
import Vocabulary

/// A walk test of one lane (O2): what is wired is tried, one thing after the other, on a thread of its own.
///
/// Nothing here can leave anything on. A relay is energised by the lane's machine for a time that it ends itself; every
/// step has an end; and a client that does not ask how far it is has gone. Whatever ends the test, the indicators show the
/// lane's signal again, and the lane is back in service.
///
/// Its own thread goes through the steps; control socket and inputs call from theirs. `state` guards how far it is, `worker` the thread;
/// the lane is never called under them.
package final class WalkTest: Sendable {
    /// Counts the tests of this lane: a client that comes back late does not end somebody else's.
    package let number: Int64
    private let lane: LaneRunner
    private let steps: [WalkStep]
    private let timing: WalkTiming
    private let state: Monitor<State>
    private let worker = Monitor<Worker?>(nil)
    private let onEnd: @Sendable (WalkEnd, [WalkResult]) -> Void

    private struct State: Sendable {
        var results: [WalkResult] = []
        /// The step that has begun.
        var current: WalkStep?
        /// Why it is to end, or has ended.
        var end: WalkEnd?
        var hasEnded = false
        /// The input that is waited for shall be left out.
        var skips = false
        /// Changes since the present step began.
        var changes: [InputChange] = []
        /// When the client last asked, in monotonic milliseconds.
        var asked = MonotonicTime.milliseconds
    }

    /// - Parameter onEnd: called once, on the test's thread, when the lane is back in service.
    package init(_ number: Int64, lane: LaneRunner, steps: [WalkStep], timing: WalkTiming = WalkTiming(),
         onEnd: @escaping @Sendable (WalkEnd, [WalkResult]) -> Void) {
        self.number = number
        self.lane = lane
        self.steps = steps
        self.timing = timing
        self.onEnd = onEnd
        state = Monitor(State())
    }

    /// Starts the thread. The lane is under test already.
    package func start(loops: Loops) throws(SystemError) {
        let started = try Worker(name: "walk-\(lane.name)", loops: loops) { [self] loop in run(loop) }
        worker.withLock { $0 = started }
    }

    // Whoever asked for it -----------------------------------------------------------------------------

    /// The results after the first `count` ones, what is being tried now, and whether the test is over. Whoever asks is
    /// still there.
    package func follow(after count: Int) -> JSON {
        let (results, current, end) = state.withLock { state in
            state.asked = MonotonicTime.milliseconds
            return (state.results, state.current, state.hasEnded ? state.end : nil)
        }
        let fresh = results.enumerated().dropFirst(count).map { $1.json(number: $0 + 1) }
        var body: JSONObject = ["test": .integer(number), "lane": .string(lane.name), "steps": .integer(Int64(steps.count)),
                                "results": .array(Array(fresh))]
        body["ended"] = end.map { .string($0.rawValue) }
        if end == nil, let step = current {
            body["current"] = ["step": .integer(Int64(results.count + 1)), "kind": .string(step.word), "name": .string(step.name),
                               "expected": .string(step.expected)]
        }
        return .object(body)
    }

    /// Goes on without the input that is waited for; nothing else is left out.
    package func skip() {
        state.change { $0.skips = true }
    }

    /// Ends the test, if it has not ended already.
    package func stop(_ end: WalkEnd) {
        state.change { $0.end = $0.end ?? end }
    }

    /// Waits until everything is de-energised, but no longer than until then: a line that does not answer is seen to by others.
    package func waitForEnd(byMonotonicMilliseconds deadline: Int64) {
        _ = worker.withLock { $0 }?.ends(byMonotonicMilliseconds: deadline)
    }

    /// An input of the lane has changed.
    func note(_ change: InputChange) {
        state.change { $0.changes.append(change) }
    }

    // The test's thread --------------------------------------------------------------------------------

    private func run(_ loop: Loop) {
        for step in steps {
            begin(step)
            guard let result = perform(step, loop) else { break }
            state.change { state in
                state.current = nil
                state.results.append(result)
            }
            guard pause(timing.gap, loop) else { break }
        }
        lane.indicators.hold(nil)
        lane.endWalkTest()
        let (end, results) = state.withLock { state in
            // A fire alarm that was the last thing to be tried has ended nothing.
            let end = state.results.count == steps.count ? .done : state.end ?? .done
            state.end = end
            return (end, state.results)
        }
        onEnd(end, results)
        state.change { $0.hasEnded = true }
    }

    private func begin(_ step: WalkStep) {
        state.withLock { state in
            state.current = step
            state.skips = false
            state.changes = []
        }
    }

    /// Nil when the test ended meanwhile.
    private func perform(_ step: WalkStep, _ loop: Loop) -> WalkResult? {
        switch step.kind {
        case .relay(let direction): tryRelay(direction, step, loop)
        case .indicator: tryIndicator(step, loop)
        case .output: tryOutput(step, loop)
        case .input(let kind): tryInput(kind, step, loop)
        }
    }

    private func tryRelay(_ direction: Direction, _ step: WalkStep, _ loop: Loop) -> WalkResult? {
        guard let line = step.line else { return nil }
        guard lane.testRelay(direction, for: timing.relay) else {
            guard lane.isUnderTest else { return nil }
            return failed(step, lane.failure(of: line))
        }
        let during = lane.readBack(line)
        guard pause(timing.relay, loop) else { return nil }
        lane.deenergiseTestedRelay()
        return judge(step, [during, lane.readBack(line)], [true, false], words: ["de-energised", "energised"])
    }

    private func tryIndicator(_ step: WalkStep, _ loop: Loop) -> WalkResult? {
        guard let line = step.line else { return nil }
        lane.showOnly([line])
        if let failure = lane.failure(of: line) { return failed(step, failure) }
        let during = lane.readBack(line)
        guard pause(timing.indicator, loop) else { return nil }
        lane.showOnly([])
        let words = step.name == Lamp.buzzer.rawValue ? ["silent", "sounds"] : ["off", "on"]
        return judge(step, [during, lane.readBack(line)], [true, false], words: words)
    }

    private func tryOutput(_ step: WalkStep, _ loop: Loop) -> WalkResult? {
        guard let line = step.line else { return nil }
        let before: Bool
        switch lane.readBack(line) {
        case .success(let level): before = level
        case .failure(let error): return failed(step, error)
        }
        if let error = lane.setOutput(line, !before) { return failed(step, error) }
        let during = lane.readBack(line)
        let goesOn = pause(timing.output, loop)
        if let error = lane.setOutput(line, before) { return failed(step, error) }
        guard goesOn else { return nil }
        return judge(step, [during, lane.readBack(line)], [!before, before], words: ["off", "on"])
    }

    /// What the line said, beside what was written to it.
    private func judge(_ step: WalkStep, _ read: [Result<Bool, LineError>], _ written: [Bool], words: [String]) -> WalkResult {
        var levels: [Bool] = []
        for level in read {
            switch level {
            case .success(let level): levels.append(level)
            case .failure(let error): return failed(step, error)
            }
        }
        let observed = levels == written && step.kind == .output
            ? step.expected : levels.map { words[$0 ? 1 : 0] }.joined(separator: ", then ")
        return WalkResult(step: step, verdict: levels == written ? .ok : .wrong, observed: observed)
    }

    private func failed(_ step: WalkStep, _ error: LineError?) -> WalkResult {
        WalkResult(step: step, verdict: .failed, observed: error?.message ?? "The line could not be driven.", code: error?.code)
    }

    private func tryInput(_ kind: InputKind, _ step: WalkStep, _ loop: Loop) -> WalkResult? {
        let began = MonotonicTime.milliseconds
        let deadline = began + timing.input
        let seen: (changes: [InputChange], skipped: Bool)? = state.waitForStep(loop) { state in
            // The contact that was waited for counts even when it ends the test, as fire does.
            if state.skips || state.changes.contains(where: { $0.kind == kind }) { return .proceed((state.changes, state.skips)) }
            if isOver(&state) { return .proceed(nil) }
            guard MonotonicTime.milliseconds < deadline else { return .proceed((state.changes, false)) }
            return .wait(until: min(deadline, state.asked + timing.patience))
        }
        guard let seen else { return nil }
        if let change = seen.changes.first(where: { $0.kind == kind }) {
            return WalkResult(step: step, verdict: .ok, observed: "\(change.state.word) after \(Self.seconds(since: began))")
        }
        if seen.skipped { return WalkResult(step: step, verdict: .skipped, observed: "left out") }
        // Two contacts that are mixed up are told at once.
        if let other = seen.changes.last {
            return WalkResult(step: step, verdict: .wrong, observed: "\(StoredWord.shown(other.kind.rawValue)) became \(other.state.word) instead")
        }
        return WalkResult(step: step, verdict: .unseen, observed: "nothing for \(Self.seconds(since: began))")
    }

    private static func seconds(since began: Int64) -> String {
        let tenths = (MonotonicTime.milliseconds - began + 50) / 100
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// Waits; false when the test is to end.
    private func pause(_ milliseconds: Int64, _ loop: Loop) -> Bool {
        let end = MonotonicTime.milliseconds + milliseconds
        return state.waitForStep(loop) { state in
            if isOver(&state) { return .proceed(false) }
            return MonotonicTime.milliseconds >= end ? .proceed(true) : .wait(until: min(end, state.asked + timing.patience))
        }
    }

    private func isOver(_ state: inout State) -> Bool {
        if state.end == nil, !lane.isUnderTest { state.end = .overridden }
        if state.end == nil, MonotonicTime.milliseconds >= state.asked + timing.patience { state.end = .abandoned }
        return state.end != nil
    }
}

/// Why a walk test is over.
package enum WalkEnd: String, Sendable {
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
package struct WalkTiming: Equatable, Sendable {
    /// A relay is energised.
    var relay: Int64 = 500
    /// An indicator is on: long enough to look for it.
    var indicator: Int64 = 1000
    /// A switched line is the other way.
    var output: Int64 = 500
    /// Between two steps.
    var gap: Int64 = 300
    /// An input is waited for.
    package var input: Int64 = 20_000
    /// Nobody has asked how far it is: whoever began it has gone.
    package var patience: Int64 = 5000

    package init(relay: Int64 = 500, indicator: Int64 = 1000, output: Int64 = 500, gap: Int64 = 300, input: Int64 = 20_000,
                 patience: Int64 = 5000) {
        self.relay = relay
        self.indicator = indicator
        self.output = output
        self.gap = gap
        self.input = input
        self.patience = patience
    }
}

/// Why a walk test does not begin.
package enum WalkRefusal: Error, Equatable {
    /// The lane is being tried already.
    case running
    /// The lane lets somebody through, is open, or locked down.
    case lane(LaneRefusal)
    /// The machine grants no thread.
    case system(SystemError)

    /// For whoever asked.
    package var controlError: ControlError {
        switch self {
        case .running: ControlError(code: "test-running", message: "Somebody tries this lane already; that ends by itself.")
        case .lane(let refusal): ControlError(code: refusal.code, message: refusal.message)
        case .system(let error): ControlError(code: error.code, message: error.message)
        }
    }
}
