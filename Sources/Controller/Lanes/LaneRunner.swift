import ControlProtocol
import Encoding
import Gate
import Lines
import Service
import Threads

/// One lane at work: the pure state machine of the room `Gate`, and its lines.
///
/// Any thread may call. Whatever changes the machine does so under one short lock, where what is to be told is also put
/// in its order. Bringing the lines in line with the machine is a step of its own under the lock of the lines, which
/// looks at what the machine wants then: so two threads that act at the same moment can never leave an older request on a
/// line; and questions, which take short locks only, do not wait for slow lines.
///
/// Order of locks: `walk`, then `driving` or `reporting`, or `degraded`; then `core`; `outputs` and `waker` for one look. Others are called
/// under two of them: under `driving` lines are written and warned of, under `reporting` journal and anti-passback are told in order.
///
/// By subject: `+Taps`, `+Modes`, `+Inputs`, `+Faults`, `+Time`, `+Lines`.
public final class LaneRunner: Sendable {
    /// The lane's name in the configuration.
    public let name: String

    let lines: LaneLines
    /// What is to be seen and heard.
    package let indicators: LaneIndicators
    let bank: any LineBank
    let events: EventHub
    let log: Log
    let onFailure: @Sendable () -> Void
    let onWarning: @Sendable (LaneWarning, LineName) -> Void
    let onReport: @Sendable (LaneAction) -> Void
    private let core: Mutex<LaneCore>
    /// Held by whoever tells what has happened, so that it is told in its order.
    private let reporting = Mutex(())
    /// Wakes the lane's timekeeper.
    private let waker = Mutex(Waker(wake: {}))
    /// Held by whoever writes to lines, which may take long: nobody else waits for it.
    let driving = Mutex(())
    let outputs = Mutex(LaneOutputs())
    /// What is wrong and keeps nobody out.
    let degraded = Mutex<Set<LaneDegradation>>([])
    /// Somebody who tries what is wired.
    package let walk = Mutex(LaneWalk())

    /// - Parameters:
    ///   - patterns: how signals look and sound.
    ///   - onFailure: called when lines failed and are to be tried again.
    ///   - onWarning: called once for each line with something wrong that keeps nobody out.
    ///   - onReport: told what is to be recorded, and who has passed: in the order in which it happened. Must not block,
    ///     nor call this lane.
    package init(name: String, rules: LaneRules, lines: LaneLines, patterns: Patterns = Patterns(), bank: any LineBank, events: EventHub, log: Log,
         onFailure: @escaping @Sendable () -> Void,
         onWarning: @escaping @Sendable (LaneWarning, LineName) -> Void = { _, _ in },
         onReport: @escaping @Sendable (LaneAction) -> Void = { _ in }) {
        self.name = name
        self.lines = lines
        self.bank = bank
        self.events = events
        self.log = log
        self.onFailure = onFailure
        self.onWarning = onWarning
        self.onReport = onReport
        let lane = Lane(rules: rules)
        core = Mutex(LaneCore(lane: lane))
        indicators = LaneIndicators(lamps: lines.lamps, steady: lines.steady, shownSignal: lane.shownSignal, patterns: patterns)
    }

    /// In a type of its own: a function that lies in a generic place as it is gets one more wrapping at every look, each of
    /// which later calls go through.
    private struct Waker {
        let wake: @Sendable () -> Void
    }

    /// From now on `wake` is called when the lane has something to do that its timekeeper does.
    func onChange(_ wake: @escaping @Sendable () -> Void) {
        waker.withLock { $0 = Waker(wake: wake) }
    }

    /// Asks the machine.
    package func ask<Answer: Sendable>(_ question: (Lane) -> Answer) -> Answer {
        core.withLock { question($0.lane) }
    }

    /// Changes the machine. What is to be told waits for `tell`.
    @discardableResult
    package func change<Answer: Sendable>(_ body: (inout Lane) -> (Answer, [LaneAction])) -> Answer {
        core.withLock { core in
            let (answer, actions) = body(&core.lane)
            core.outbox += actions.filter(\.isReport)
            return answer
        }
    }

    /// The same where there is no answer.
    package func change(_ body: (inout Lane) -> [LaneAction]) {
        change { ((), body(&$0)) }
    }

    /// Changes the machine and leaves lines and telling to the timekeeper: for threads that must not wait for a chip.
    func post(_ body: (inout Lane) -> [LaneAction]) {
        change(body)
        // First: nothing that is told may hold up the relay.
        wakeTimekeeper()
        // Here: a chip that hangs may hold up the timekeeper, and what contacts did is known all the same.
        report()
    }

    /// The lane has something to do that its timekeeper does.
    func wakeTimekeeper() {
        waker.withLock { $0 }.wake()
    }

    /// Tells what has happened and was not told.
    package func report() {
        reporting.withLock { _ in
            for action in core.withLock({ $0.drainOutbox() }) { onReport(action) }
        }
    }
}

extension LaneRunner {
    /// An input of the lane has changed, debounced, at `now`. Does not wait for lines: the lane's timekeeper writes them, so
    /// that a chip that takes long holds up its own lane and no other's inputs.
    package func input(_ change: InputChange, at now: Instant) {
        guard !noteInTest(change) else { return }
        post { $0.input(change, at: now) }
    }

    /// A phone is being talked to.
    package func beginReading(at now: Instant) {
        post { $0.beginReading(at: now) }
    }

    /// The conversation is over.
    package func endReading(at now: Instant) {
        post { $0.endReading(at: now) }
    }
}

extension LaneRunner {
    /// Time has come to `now`.
    func advance(to now: Instant) {
        settle { $0.advance(to: now) }
    }

    /// Ends a running pulse at once: the gate stops.
    package func deenergise() {
        settle { $0.stop() }
    }

    /// The next instant at which `advance` has something to do.
    var nextChange: Instant? {
        ask { $0.nextChange }
    }

    /// When lines that failed are to be tried again; nil while all work.
    package var nextProbe: Instant? {
        outputs.withLock { $0.probe }
    }

    /// From the next run on, other rules hold; what runs is untouched.
    package func adopt(_ rules: LaneRules) {
        settle { $0.adopt(rules) }
    }
}
