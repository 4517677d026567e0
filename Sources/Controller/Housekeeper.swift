import Lines
import Service
import Threads

/// The thread for what must be done and may take long: tries lines that failed again until they work,
/// and keeps what the clock knows on the disk. A thread of its own, because no pulse may wait for
/// opening a slow chip or for the disk.
final class Housekeeper: Sendable {
    private struct Agenda {
        var lanes: [LaneRunner] = []
        var changed = false
        var stopping = false
    }

    private let bank: any LineBank
    private let clock: SystemClock
    private let log: Log
    private let agenda = Monitor(Agenda())
    private let worker = Monitor<Worker?>(nil)

    /// Milliseconds between two times at which the clock's memory is written.
    private static let clockInterval: Int64 = 5 * 60 * 1000

    init(bank: any LineBank, clock: SystemClock, log: Log) {
        self.bank = bank
        self.clock = clock
        self.log = log
    }

    /// Starts the thread.
    func start() throws(SystemError) {
        let started = try Worker(name: "housekeeper") { [self] in run() }
        worker.withLock { $0 = started }
    }

    /// Ends the thread and waits for its end. The clock's memory is written a last time.
    func stop() {
        agenda.change { $0.stopping = true }
        worker.withLock { $0 }?.join()
        saveClock()
    }

    /// From now on the lines of these lanes are looked after.
    func keep(_ lanes: [LaneRunner]) {
        agenda.change { $0.lanes = lanes; $0.changed = true }
    }

    /// A lane's lines have failed.
    func laneFailed() {
        agenda.change { $0.changed = true }
    }

    private func run() {
        var clockDue = SystemClock.monotonicMilliseconds + Self.clockInterval
        while let lanes = waitForWork(clockDue) {
            let now = SystemClock.monotonicMilliseconds
            if lanes.contains(where: { $0.nextProbe.map { $0.milliseconds <= now } ?? false }) { openAgain(lanes) }
            if clockDue <= now {
                saveClock()
                clockDue = now + Self.clockInterval
            }
        }
    }

    /// A line that comes back may belong to a lane that has not noticed its loss: all lanes look.
    private func openAgain(_ lanes: [LaneRunner]) {
        bank.reopen()
        for lane in lanes { lane.refresh() }
    }

    private func saveClock() {
        do {
            try clock.save()
        } catch {
            log.warning("\(error.code): \(error.message)")
        }
    }

    /// Waits until something is due or the agenda has changed; nil when the gate stops.
    private func waitForWork(_ clockDue: Int64) -> [LaneRunner]? {
        let probes = agenda.withLock { $0.lanes }.compactMap { $0.nextProbe?.milliseconds }
        let next = min(probes.min() ?? clockDue, clockDue)
        _ = agenda.wait(untilNanoseconds: next * 1_000_000) { $0.stopping || $0.changed ? () : nil }
        return agenda.withLock { agenda in
            agenda.changed = false
            return agenda.stopping ? nil : agenda.lanes
        }
    }
}
