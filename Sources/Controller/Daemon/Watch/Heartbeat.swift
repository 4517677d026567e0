import Service
import Threads

/// Feeds systemd's watchdog as long as every loop goes on, and asks for the gate's end by name when one hangs:
/// a gate of which a part hangs in our code is killed and started again, lines at their safe level. What hangs outside is
/// shown as a fault.
///
/// A thread of its own that touches no disk and no device. Should it hang itself, the watchdog goes hungry.
///
/// Whoever starts and stops the gate calls. `stopping` wakes the thread, `worker` guards it.
final class Heartbeat: Sendable {
    /// Where the heartbeat is told.
    struct Outlet: Sendable {
        /// Every loop goes on.
        let feed: @Sendable () -> Void
        /// Kill this process now.
        let end: @Sendable () -> Void

        /// systemd. Without it nobody is told, and nobody kills.
        static let systemd = Outlet(feed: { Notify.watchdog() }, end: { Notify.watchdogTrigger() })
    }

    /// The loops that are watched over.
    let loops: Loops
    private let outlet: Outlet
    private let log: Log
    private let stopping = Monitor(false)
    private let worker = Monitor<Worker?>(nil)

    init(loops: Loops, outlet: Outlet = .systemd, log: Log) {
        self.loops = loops
        self.outlet = outlet
        self.log = log
    }

    /// Starts the thread.
    func start() throws(SystemError) {
        let started = try Worker(name: "heartbeat", stackBytes: 128 * 1024) { [self] in run() }
        worker.withLock { $0 = started }
    }

    /// Ends the thread and waits for its end.
    func stop() {
        stopping.change { $0 = true }
        worker.withLock { $0 }?.join()
    }

    /// The loops that wait too long for something outside at this moment.
    var delays: [LoopDelay] {
        let now = MonotonicTime.milliseconds
        return loops.states.compactMap { LoopDelay(loop: $0, $1.verdict(at: now, limit: loops.limit)) }
    }

    private func run() {
        var rollCall = RollCall(limit: loops.limit)
        var next = MonotonicTime.milliseconds
        while stopping.wait(untilNanoseconds: MonotonicTime.nanoseconds(atMilliseconds: next), { $0 ? () : nil }) == nil {
            let now = MonotonicTime.milliseconds
            let (answer, news) = rollCall.look(at: loops.states, now)
            obey(answer)
            for item in news { report(item) }
            next = now + rollCall.interval
        }
    }

    private func obey(_ answer: RollCall.Answer) {
        switch answer {
        case .feed:
            outlet.feed()
        case .warn(let hang):
            log.error("loop-stuck: \(hang.message)")
        case .end:
            outlet.end()
        }
    }

    private func report(_ news: RollCall.News) {
        switch news {
        case .delayed(let delay): log.error("\(delay.code): \(delay.message)")
        case .goesOn(let loop): log.notice("\(loop) goes on")
        }
    }
}

/// A loop that waits too long for something outside the gate: a fault to be shown, no reason for a restart.
struct LoopDelay: Equatable {
    let loop: String
    let call: OutsideCall
    let milliseconds: Int64

    /// Nil for a loop that is not delayed.
    init?(loop: String, _ verdict: LoopVerdict) {
        guard case .delayed(let call, let milliseconds) = verdict else { return nil }
        self.loop = loop
        self.call = call
        self.milliseconds = milliseconds
    }

    /// Stable code.
    var code: String { "loop-delayed" }
    /// A sentence for people that names the remedy (T13).
    var message: String { "\(loop) has been waiting for \(call.name) for \(milliseconds / 1000) s. \(call.remedy)" }
}
