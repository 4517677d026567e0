import Gate
import Threads

/// The thread of one lane that ends what time ends: attempts at their deadline, pulses, indicators.
///
/// A thread for each lane, because it writes to lines: a chip that takes long may hold up its own lane
/// and no other. It also shows that the journal cannot be written, for the thread that notices that must not wait.
/// It sleeps until the next of those is due and is woken when a nearer one appears.
///
/// Any thread may call but for `start` and `stop`. `agenda` guards what is to be done, `worker` the thread; neither lane nor attempt is called under them.
package final class Timekeeper: Sendable {
    private struct Agenda {
        var attempts: [Attempt] = []
        var changed = false
        var stopping = false
    }

    private let lane: LaneRunner
    private let loops: Loops
    private let isJournalFailing: @Sendable () -> Bool
    private let isJournalFull: @Sendable () -> Bool
    private let isJournalDue: @Sendable () -> Bool
    private let agenda = Monitor(Agenda())
    private let worker = Monitor<Worker?>(nil)

    /// - Parameters:
    ///   - isJournalFailing: asks no disk.
    ///   - isJournalFull: whether it keeps the lane from granting; asks no disk.
    ///   - isJournalDue: whether it is time to collect it, which the lane shows; asks no disk.
    package init(lane: LaneRunner, loops: Loops, isJournalFailing: @escaping @Sendable () -> Bool,
         isJournalFull: @escaping @Sendable () -> Bool = { false }, isJournalDue: @escaping @Sendable () -> Bool = { false }) {
        self.lane = lane
        self.isJournalFailing = isJournalFailing
        self.isJournalFull = isJournalFull
        self.isJournalDue = isJournalDue
        self.loops = loops
        lane.onChange { [weak self] in self?.laneChanged() }
    }

    /// Starts the thread.
    package func start() throws(SystemError) {
        let started = try Worker(name: "lane-\(lane.name)", loops: loops) { [self] loop in run(loop) }
        worker.withLock { $0 = started }
    }

    /// Ends the thread and waits for its end.
    package func stop() {
        agenda.change { $0.stopping = true }
        worker.withLock { $0 }?.join()
    }

    /// From now on the deadline of `attempt` is kept.
    package func watch(_ attempt: Attempt) {
        agenda.change { $0.attempts.append(attempt); $0.changed = true }
    }

    /// The attempt has ended.
    package func forget(_ attempt: Attempt) {
        agenda.withLock { agenda in agenda.attempts.removeAll { $0 === attempt } }
    }

    /// The lane may have something nearer to do than before.
    package func laneChanged() {
        agenda.change { $0.changed = true }
    }

    private func run(_ loop: Loop) {
        while let attempts = due(loop) {
            let now = MonotonicTime.milliseconds
            // Deadlines first: they wait for no line.
            for attempt in attempts where attempt.deadline <= now {
                forget(attempt)
                attempt.expire()
            }
            lane.advance(to: Instant(milliseconds: MonotonicTime.milliseconds))
            lane.setJournalFault(isJournalFailing())
            lane.set(.journalFull, standing: isJournalFull())
            lane.setDegraded(.collection, isJournalDue())
        }
    }

    /// Waits until something is due or has changed; nil when the gate stops.
    private func due(_ loop: Loop) -> [Attempt]? {
        let deadlines = agenda.withLock { $0.attempts }.map(\.deadline)
        let next = (deadlines + [lane.nextChange?.milliseconds].compactMap(\.self)).min()
        return agenda.waitForStep(loop) { agenda in
            let isDue = next.map { MonotonicTime.milliseconds >= $0 } ?? false
            guard agenda.stopping || agenda.changed || isDue else { return .wait(until: next) }
            agenda.changed = false
            return .proceed(agenda.stopping ? nil : agenda.attempts)
        }
    }
}
