import Gate
import Lanes
import Lines
import Service
import Threads

/// The thread for what must be done and may take long: tries lines that failed again until they work,
/// ends what phones have ordered of outputs, keeps what the clock knows on the disk, and does what is to be done now and then. A thread of its
/// own, because no pulse may wait for opening a slow chip or for the disk.
///
/// Any thread may call but for `start` and `stop`. `agenda` guards what is to be done, `worker` the thread; chores and listeners run under no lock.
final class Housekeeper: Sendable {
    private struct Agenda {
        var lanes: [LaneRunner] = []
        var chores: [@Sendable () -> Void] = []
        var whenBack: [@Sendable ([LineName]) -> Void] = []
        var whenClockChanges: [@Sendable () -> Void] = []
        var clockChanged = false
        var whenLooking: [@Sendable () -> Void] = []
        var changed = false
        var stopping = false
    }

    private let bank: any LineBank
    private let clock: SystemClock
    private let log: Log
    private let loops: Loops
    private let agenda = Monitor(Agenda())
    private let worker = Monitor<Worker?>(nil)

    /// Milliseconds between two looks at the lines: a chip that went away takes its lines along without a word.
    private static let look: Int64 = 1000
    /// Milliseconds between two times at which the clock's memory is written and the chores are done.
    private static let interval: Int64 = 5 * 60 * 1000

    init(bank: any LineBank, clock: SystemClock, log: Log, loops: Loops) {
        self.bank = bank
        self.clock = clock
        self.log = log
        self.loops = loops
    }

    /// Starts the thread.
    func start() throws(SystemError) {
        let started = try Worker(name: "housekeeper", loops: loops) { [self] loop in run(loop) }
        worker.withLock { $0 = started }
    }

    /// Ends the thread and waits for its end. `saveClock` is for whoever stops, once no line waits for the disk.
    func stop() {
        agenda.change { $0.stopping = true }
        worker.withLock { $0 }?.join()
        // What it was to do knows the gate that it belongs to.
        agenda.withLock { agenda in
            agenda.lanes = []
            agenda.chores = []
            agenda.whenBack = []
            agenda.whenClockChanges = []
            agenda.whenLooking = []
        }
    }

    /// From now on the lines of these lanes are looked after.
    func keep(_ lanes: [LaneRunner]) {
        agenda.change { $0.lanes = lanes; $0.changed = true }
    }

    /// Does `chore` now, and from now on every five minutes on this thread.
    func regularly(_ chore: @escaping @Sendable () -> Void) {
        chore()
        agenda.withLock { $0.chores.append(chore) }
    }

    /// From now on `listener` is told, on this thread, which lines are back: they are at their safe level then.
    func whenBack(_ listener: @escaping @Sendable ([LineName]) -> Void) {
        agenda.withLock { $0.whenBack.append(listener) }
    }

    /// From now on `listener` is told, on this thread, that the clock's trust is another one.
    func whenClockChanges(_ listener: @escaping @Sendable () -> Void) {
        agenda.change { $0.whenClockChanges.append(listener); $0.clockChanged = true }
    }

    /// The clock's trust is another one. Never waits.
    func clockChanged() {
        agenda.change { $0.clockChanged = true }
    }

    /// Does `chore` on this thread each time that it has looked at the lines: every second, and sooner where some are tried again.
    func whenLooking(_ chore: @escaping @Sendable () -> Void) {
        agenda.withLock { $0.whenLooking.append(chore) }
    }

    /// A lane's lines have failed.
    func laneFailed() {
        agenda.change { $0.changed = true }
    }

    private func run(_ loop: Loop) {
        var due = MonotonicTime.milliseconds + Self.interval
        var looked = MonotonicTime.milliseconds
        while let lanes = waitForWork(min(due, looked + Self.look), loop) {
            let now = MonotonicTime.milliseconds
            reportClock()
            if looked + Self.look <= now || lanes.contains(where: { $0.nextProbe.map { $0.milliseconds <= now } ?? false }) {
                lookAfterLines(lanes)
                for chore in agenda.withLock({ $0.whenLooking }) { chore() }
                looked = now
            }
            if due <= now {
                saveClock()
                for chore in agenda.withLock({ $0.chores }) { chore() }
                due = now + Self.interval
            }
        }
    }

    /// A line that is lost or comes back may belong to a lane that has not noticed it: all lanes look.
    private func lookAfterLines(_ lanes: [LaneRunner]) {
        let back = Loop.outside(.chips) { bank.reopen() }
        if !back.isEmpty { for listener in agenda.withLock({ $0.whenBack }) { listener(back) } }
        let faults = bank.faults
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        for lane in lanes where !back.isEmpty || lane.needsRefresh(faults, at: now) { lane.refresh() }
    }

    private func reportClock() {
        let listeners = agenda.withLock { agenda in
            defer { agenda.clockChanged = false }
            return agenda.clockChanged ? agenda.whenClockChanges : []
        }
        guard !listeners.isEmpty else { return }
        for listener in listeners { listener() }
        // What was confirmed, or corrected, is to outlast a crash.
        saveClock()
    }

    /// Keeps what the clock knows on the disk.
    func saveClock() {
        do {
            try clock.save()
        } catch {
            log.warning("\(error.code): \(error.message)")
        }
    }

    /// Waits until something is due or the agenda has changed; nil when the gate stops.
    private func waitForWork(_ due: Int64, _ loop: Loop) -> [LaneRunner]? {
        let probes = agenda.withLock { $0.lanes }.compactMap { $0.nextProbe?.milliseconds }
        let next = min(probes.min() ?? due, due)
        return agenda.waitForStep(loop) { agenda in
            guard agenda.stopping || agenda.changed || agenda.clockChanged || MonotonicTime.milliseconds >= next else { return .wait(until: next) }
            agenda.changed = false
            return .proceed(agenda.stopping ? nil : agenda.lanes)
        }
    }
}
