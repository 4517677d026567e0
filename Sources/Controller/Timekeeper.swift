import Gate
import Service
import Threads

/// The thread that ends what time ends: pulses, lights, and attempts at their deadline.
///
/// It sleeps until the next of those is due and is woken when a nearer one appears.
final class Timekeeper: Sendable {
    private struct Agenda {
        var lanes: [LaneRunner] = []
        var attempts: [Attempt] = []
        var changed = false
        var stopping = false
    }

    private let agenda = Monitor(Agenda())
    private let worker = Monitor<Worker?>(nil)

    /// Something to do now and then, which tells that this thread is alive.
    private struct Heartbeat: Sendable {
        let interval: Int64
        let beat: @Sendable () -> Void
    }

    private let heartbeat: Heartbeat?

    /// - Parameter heartbeat: called at least every `interval` milliseconds while the thread keeps time.
    init(heartbeat: (interval: Int64, beat: @Sendable () -> Void)? = nil) {
        self.heartbeat = heartbeat.map { Heartbeat(interval: $0.interval, beat: $0.beat) }
    }

    /// Starts the thread.
    func start() throws(SystemError) {
        let started = try Worker(name: "timekeeper") { [self] in run() }
        worker.withLock { $0 = started }
    }

    /// Ends the thread and waits for its end.
    func stop() {
        agenda.change { $0.stopping = true }
        worker.withLock { $0 }?.join()
    }

    /// From now on these lanes are kept.
    func keep(_ lanes: [LaneRunner]) {
        agenda.change { $0.lanes = lanes; $0.changed = true }
    }

    /// From now on the deadline of `attempt` is kept.
    func watch(_ attempt: Attempt) {
        agenda.change { $0.attempts.append(attempt); $0.changed = true }
    }

    /// The attempt has ended.
    func forget(_ attempt: Attempt) {
        agenda.withLock { agenda in agenda.attempts.removeAll { $0 === attempt } }
    }

    /// A lane may have something nearer to do than before.
    func laneChanged() {
        agenda.change { $0.changed = true }
    }

    private func run() {
        while let (lanes, attempts) = due() {
            heartbeat?.beat()
            let now = SystemClock.monotonicMilliseconds
            for lane in lanes { lane.advance(to: Instant(milliseconds: now)) }
            for attempt in attempts where attempt.deadline <= now {
                forget(attempt)
                attempt.expire()
            }
        }
    }

    /// Waits until something is due or has changed; nil when the gate stops.
    private func due() -> (lanes: [LaneRunner], attempts: [Attempt])? {
        let (lanes, attempts) = agenda.withLock { ($0.lanes, $0.attempts) }
        let beat = heartbeat.map { [SystemClock.monotonicMilliseconds + $0.interval] } ?? []
        let next = (lanes.compactMap { $0.nextChange?.milliseconds } + attempts.map(\.deadline) + beat).min()
        let ready: @Sendable (inout Agenda) -> Void? = { $0.stopping || $0.changed ? () : nil }
        if let next {
            _ = agenda.wait(untilNanoseconds: next * 1_000_000, ready)
        } else {
            agenda.wait(ready)
        }
        return agenda.withLock { agenda in
            agenda.changed = false
            return agenda.stopping ? nil : (agenda.lanes, agenda.attempts)
        }
    }
}
