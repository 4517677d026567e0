import Gate
import Threads

/// The thread of one lane that ends what time ends: attempts at their deadline, pulses, lights.
///
/// A thread for each lane, because it writes to lines: a chip that takes long may hold up its own lane
/// and no other. It also shows that the journal cannot be written, for the thread that notices it must not wait. It sleeps until the next of those is due and is woken when a nearer one appears.
final class Timekeeper: Sendable {
    private struct Agenda {
        var attempts: [Attempt] = []
        var changed = false
        var stopping = false
    }

    private let lane: LaneRunner
    private let heartbeat: Heartbeat
    private let isJournalFailing: @Sendable () -> Bool
    private let agenda = Monitor(Agenda())
    private let worker = Monitor<Worker?>(nil)

    /// - Parameter isJournalFailing: asks no disk.
    init(lane: LaneRunner, heartbeat: Heartbeat, isJournalFailing: @escaping @Sendable () -> Bool) {
        self.lane = lane
        self.isJournalFailing = isJournalFailing
        self.heartbeat = heartbeat
    }

    /// Starts the thread.
    func start() throws(SystemError) {
        heartbeat.add(lane.name)
        let started = try Worker(name: "lane-\(lane.name)") { [self] in run() }
        worker.withLock { $0 = started }
    }

    /// Ends the thread and waits for its end.
    func stop() {
        agenda.change { $0.stopping = true }
        worker.withLock { $0 }?.join()
    }

    /// From now on the deadline of `attempt` is kept.
    func watch(_ attempt: Attempt) {
        agenda.change { $0.attempts.append(attempt); $0.changed = true }
    }

    /// The attempt has ended.
    func forget(_ attempt: Attempt) {
        agenda.withLock { agenda in agenda.attempts.removeAll { $0 === attempt } }
    }

    /// The lane may have something nearer to do than before.
    func laneChanged() {
        agenda.change { $0.changed = true }
    }

    private func run() {
        while let attempts = due() {
            heartbeat.report(lane.name)
            let now = MonotonicTime.milliseconds
            // Deadlines first: they wait for no line.
            for attempt in attempts where attempt.deadline <= now {
                forget(attempt)
                attempt.expire()
            }
            lane.advance(to: Instant(milliseconds: MonotonicTime.milliseconds))
            lane.setJournalFault(isJournalFailing())
        }
    }

    /// Waits until something is due or has changed; nil when the gate stops.
    private func due() -> [Attempt]? {
        let deadlines = agenda.withLock { $0.attempts }.map(\.deadline)
        let beat = heartbeat.interval.map { MonotonicTime.milliseconds + $0 }
        let next = (deadlines + [lane.nextChange?.milliseconds, beat].compactMap(\.self)).min()
        let ready: @Sendable (inout Agenda) -> Void? = { $0.stopping || $0.changed ? () : nil }
        if let next {
            _ = agenda.wait(untilNanoseconds: next * 1_000_000, ready)
        } else {
            agenda.wait(ready)
        }
        return agenda.withLock { agenda in
            agenda.changed = false
            return agenda.stopping ? nil : agenda.attempts
        }
    }
}
