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

/// When the next signed checkpoint is due: after so many records, or so long after the first record that none stands
/// for. Pure; time is an argument, in monotonic milliseconds.
struct CheckpointSchedule {
    private let records: UInt64
    private let period: Int64
    /// Records of both chains.
    private var total: UInt64
    /// The main chain's head.
    private var sequence: UInt64
    /// Records of both chains that the newest checkpoint stands for.
    private var covered: UInt64
    /// The newest checkpoint's own record, which needs no other to stand for it.
    private var own: UInt64?
    /// When the first record came that no checkpoint stands for.
    private var since: Int64?

    /// - Parameters:
    ///   - records: after how many one is due.
    ///   - period: after how many milliseconds with activity.
    ///   - endsWithCheckpoint: whether the main chain's newest record is one, as after an orderly stop. If not, one
    ///     is due at once: whatever ended the run before it took its last one.
    init(records: UInt64, period: Int64, reach: JournalReach, endsWithCheckpoint: Bool) {
        self.records = records
        self.period = period
        total = reach.total
        sequence = reach.main.head.sequence
        covered = endsWithCheckpoint ? reach.total : 0
        since = endsWithCheckpoint || reach.total == 0 ? nil : .min / 2
    }

    /// The chains have come that far.
    mutating func advance(to reach: JournalReach, now: Int64) {
        total = reach.total
        sequence = reach.main.head.sequence
        if uncovered > 0 { since = since ?? now }
    }

    /// One was made.
    /// - Parameter sequence: of its record, which follows; nil if there will be none.
    mutating func made(of reach: JournalReach, in sequence: UInt64?) {
        covered = reach.total
        own = sequence
        since = nil
    }

    /// Records that no checkpoint stands for.
    var uncovered: UInt64 {
        let ownRecord: UInt64 = own.map { $0 <= sequence } ?? false ? 1 : 0
        return total > covered + ownRecord ? total - covered - ownRecord : 0
    }

    /// When the next one is due; nil while nothing has happened.
    var due: Int64? {
        guard uncovered > 0, let since else { return nil }
        return uncovered >= records ? .min / 2 : since + period
    }
}
