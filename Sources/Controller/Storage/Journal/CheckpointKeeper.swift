import Threads

/// Has checkpoints made when they are due, on a thread of its own: a signature must not hold up the writer, let alone
/// a reader's thread. The checkpoint becomes a record of the main chain like any other.
final class CheckpointKeeper: Sendable {
    /// Signs a checkpoint and makes a record of it; nil if it cannot.
    typealias Sign = @Sendable (JournalReach) -> JournalEntry?

    private struct Agenda {
        var schedule: CheckpointSchedule
        /// When the thread wakes by itself; nil while it waits to be woken.
        var wakes: Int64?
        var isOver = false
    }

    private let agenda: Monitor<Agenda>
    private let maker: Maker
    private let thread: Worker

    init(_ schedule: CheckpointSchedule, queue: Monitor<JournalQueue>, loops: Loops, sign: @escaping Sign) throws(StorageError) {
        let agenda = Monitor(Agenda(schedule: schedule)), maker = Maker(agenda: agenda, queue: queue, sign: sign)
        self.agenda = agenda
        self.maker = maker
        thread = try Worker(storage: "journal-sign", loops: loops) { loop in
            while Self.waitUntilDue(agenda, loop) { _ = maker.make() }
        }
    }

    /// False when it is over.
    private static func waitUntilDue(_ agenda: Monitor<Agenda>, _ loop: Loop) -> Bool {
        agenda.waitForStep(loop) { agenda in
            if agenda.isOver { return .proceed(false) }
            agenda.wakes = agenda.schedule.due
            if let due = agenda.wakes, due <= MonotonicTime.milliseconds { return .proceed(true) }
            return .wait(until: agenda.wakes)
        }
    }

    /// The chains have come that far. Called by the writer after each commit; wakes the thread only if it would sleep
    /// too long.
    func advance(to reach: JournalReach) {
        let wakes = agenda.withLock { agenda -> Bool in
            agenda.schedule.advance(to: reach, now: MonotonicTime.milliseconds)
            guard let due = agenda.schedule.due else { return false }
            return agenda.wakes.map { due < $0 } ?? true
        }
        if wakes { agenda.change { _ in } }
    }

    /// Makes one now, on the caller's thread. Nil if it cannot be signed.
    func make() -> (entry: JournalEntry, ticket: JournalTicket)? { maker.make() }

    /// Ends the thread and waits for it. Answers the last checkpoint, if there is anything that none stands for.
    func stop(at reach: JournalReach) -> JournalEntry? {
        agenda.change { $0.isOver = true }
        thread.join()
        agenda.withLock { $0.schedule.advance(to: reach, now: MonotonicTime.milliseconds) }
        return agenda.withLock { $0.schedule.uncovered } > 0 ? maker.sign(reach) : nil
    }

    /// One checkpoint after the other, so that a later record never speaks of less than an earlier one.
    private final class Maker: Sendable {
        private let agenda: Monitor<Agenda>
        private let queue: Monitor<JournalQueue>
        /// Signs, without a record of it yet.
        let sign: Sign
        private let one = Mutex(())

        init(agenda: Monitor<Agenda>, queue: Monitor<JournalQueue>, sign: @escaping Sign) {
            self.agenda = agenda
            self.queue = queue
            self.sign = sign
        }

        func make() -> (entry: JournalEntry, ticket: JournalTicket)? {
            one.withLock { _ in
                let reach = queue.withLock { $0.reach }
                let entry = sign(reach)
                let ticket = entry.map { entry in queue.change { $0.append(entry) } }
                let latest = queue.withLock { $0.reach }
                agenda.withLock { agenda in
                    agenda.schedule.made(of: reach, in: ticket.flatMap { $0.sequence > 0 ? $0.sequence : nil })
                    agenda.schedule.advance(to: latest, now: MonotonicTime.milliseconds)
                }
                guard let entry, let ticket else { return nil }
                return (entry, ticket)
            }
        }
    }
}
