import Encoding
import Files
import Service
import Threads

/// The thread that synchronises: begins each run when `SyncPlan` says so, and looks at the network meanwhile where the last one failed (S1, S3). It is
/// a loop like all others, and waits for nobody but the fetcher.
///
/// Any thread may ask. Order of locks: `visitors`, `plan`, `stopping`; `report` and `worker` alone. `work` is called under none of them.
package final class SyncThread: Sendable {
    /// What a run is given, and what it answers.
    package struct Work: Sendable {
        /// Makes one run, of the folder where there is one; the report tells what goes on.
        /// The last one says whether another run comes first.
        let run: @Sendable (SyncPlan.Run, FolderVisit?, Monitor<SyncReport>, @escaping @Sendable () -> Bool) -> SyncReport.End
        /// Nobody fetches meanwhile; called now and then on the same thread.
        let rest: @Sendable () -> Void
        /// Somebody wants a run; called on his thread.
        let asked: @Sendable () -> Void
        /// Whether the gate has site data.
        let hasData: @Sendable () -> Bool
        /// A run went well; called on the same thread, so that the next start knows.
        let remember: @Sendable (SyncPast) -> Void

        package init(
                     run: @escaping @Sendable (SyncPlan.Run, FolderVisit?, Monitor<SyncReport>, @escaping @Sendable () -> Bool) -> SyncReport.End,
                     rest: @escaping @Sendable () -> Void, asked: @escaping @Sendable () -> Void,
                     hasData: @escaping @Sendable () -> Bool, remember: @escaping @Sendable (SyncPast) -> Void) {
            self.run = run
            self.rest = rest
            self.asked = asked
            self.hasData = hasData
            self.remember = remember
        }
    }

    /// Milliseconds between two looks at the network and at a connection that is not used.
    private static let look: Int64 = 5000

    private let plan: Monitor<SyncPlan>
    package let report: Monitor<SyncReport>
    private let work: Work
    private let sign: @Sendable () -> NetworkSign?
    private let loops: Loops
    private let bell: SyncBell
    private let stopping = Monitor(false)
    private let worker = Monitor<Worker?>(nil)
    /// The folders whose runs are wanted, by their numbers.
    private let visitors = Monitor<[UInt64: FolderVisit]>([:])

    package init(_ plan: SyncPlan, from: String?, past: SyncPast?, bell: SyncBell, loops: Loops, sign: @escaping @Sendable () -> NetworkSign? = NetworkSign.now, work: Work) {
        self.plan = Monitor(plan)
        report = Monitor(SyncReport(from: from, past: past))
        self.bell = bell
        self.loops = loops
        self.sign = sign
        self.work = work
    }

    /// Starts the thread.
    package func start() throws(SystemError) {
        let started = try Worker(name: "sync", loops: loops) { [self] loop in go(loop) }
        worker.withLock { $0 = started }
    }

    /// Gives up what is being fetched; no run begins any more. Never waits.
    package func callOff() {
        stopping.withLock { $0 = true }
        bell.ring()
        plan.change { _ in }
    }

    /// Ends the thread and waits for its end: what is being put to use, is.
    package func stop() {
        callOff()
        worker.withLock { $0 }?.join()
    }

    /// Somebody wants a run; answers the number of the one that serves him. Never waits.
    package func ask() -> UInt64 {
        work.asked()
        return plan.change { $0.ask(at: MonotonicTime.milliseconds) }
    }

    /// Somebody has brought a folder; answers the number of its run, nil where another one of his waits already. Never waits.
    ///
    /// One waits of each user: whoever brings folder after folder keeps nobody else's away.
    package func visit(_ folder: FolderVisit) -> UInt64? {
        // Held until the folder is there: the run may begin at once.
        visitors.withLock { visitors in
            let begun = plan.withLock { $0.visits }
            let waiting = visitors.filter { $0.key > begun }
            guard !waiting.contains(where: { !$0.value.hasEnded && $0.value.requester?.user == folder.requester?.user }) else { return nil }
            // The place of one that nobody reads any more has whoever comes next.
            let number = waiting.filter { $0.value.hasEnded }.keys.min() ?? plan.change { $0.visit() }
            if let number { visitors[number] = folder }
            return number
        }
    }

    /// How the run of a folder is; nil where nobody knows of it, or not any more.
    package func json(ofVisit number: UInt64) -> JSON? {
        guard number <= plan.withLock({ $0.lastVisit }) else { return nil }
        return report.withLock { $0.json(ofVisit: number) }
    }

    /// Other settings.
    /// - Parameter period: milliseconds between runs.
    package func adopt(period: Int64, from: String) {
        report.withLock { $0.from = from }
        plan.change { $0.adopt(period: period, at: MonotonicTime.milliseconds, random: .random(in: 0 ... .max)) }
    }

    /// Milliseconds until the server is asked next; nil while it is, and where there is none.
    private var untilNext: Int64? { plan.withLock { $0.serverDue }.map { max(0, $0 - MonotonicTime.milliseconds) } }

    private func go(_ loop: Loop) {
        var seen = Seen(network: sign(), data: work.hasData())
        while let run = wait(loop, &seen) {
            report.change { $0.begin(run) }
            let end = work.run(run, run.cause == .folder ? removeVisitor(run.number) : nil, report) { [plan] in
                plan.withLock { $0.givesWay(at: MonotonicTime.milliseconds) }
            }
            guard end.failure != .gaveWay else {
                plan.change { $0.gaveWay(isResumed: end.isResumed, at: MonotonicTime.milliseconds) }
                report.change { $0.giveWay() }
                loop.comesRound()
                continue
            }
            plan.change { $0.ended(succeeded: end.failure == nil, at: MonotonicTime.milliseconds, random: .random(in: 0 ... .max)) }
            let past = report.change { report in
                report.end(end, of: run.cause)
                return report.past
            }
            if end.failure == nil, let past { work.remember(past) }
            seen.data = work.hasData()
            loop.comesRound()
        }
    }

    private func removeVisitor(_ number: UInt64) -> FolderVisit? { visitors.withLock { $0.removeValue(forKey: number) } }

    /// The next run that is due; nil when the gate stops.
    private func wait(_ loop: Loop, _ seen: inout Seen) -> SyncPlan.Run? {
        while true {
            let look = MonotonicTime.milliseconds + Self.look
            let step: Step = plan.waitForStep(loop) { [stopping] plan in
                if stopping.withLock({ $0 }) { return .proceed(.end) }
                let now = MonotonicTime.milliseconds
                if let run = plan.begin(at: now) { return .proceed(.run(run)) }
                return now >= look ? .proceed(.look) : .wait(until: min(look, plan.due ?? look))
            }
            switch step {
            case .end: return nil
            case .run(let run): return run
            case .look: lookAround(&seen)
            }
        }
    }

    private enum Step {
        case run(SyncPlan.Run)
        case look
        case end
    }

    /// What there was at the last look.
    private struct Seen {
        var network: NetworkSign?
        var data: Bool
    }

    private func lookAround(_ seen: inout Seen) {
        work.rest()
        let hasData = work.hasData()
        // Damaged while the gate served: nobody gets in until there are others.
        if seen.data, !hasData { plan.change { $0.dataLost(at: MonotonicTime.milliseconds) } }
        seen.data = hasData
        guard plan.withLock({ $0.awaitsNetwork }), let found = sign() else { return }
        if let before = seen.network, found.isReturn(since: before) { plan.change { $0.networkReturned(at: MonotonicTime.milliseconds) } }
        seen.network = found
    }

    /// For `status`.
    /// - Parameters:
    ///   - now: UNIX milliseconds.
    ///   - floor: before which no time is, UNIX milliseconds.
    package func json(at now: Int64, floor: Int64) -> JSON {
        let next = untilNext.map { now + $0 }
        return report.withLock { $0 }.json(next: next, at: max(now, floor) / 1000)
    }
}

extension NetworkSign {
    /// More routes than this a gate does not have.
    private static let limit = 65_536

    /// What the kernel says now; nil where it says nothing.
    static func now() -> NetworkSign? {
        guard let route = try? SmallFile.read("/proc/net/route", limit: limit) else { return nil }
        return NetworkSign(route: route, ipv6: (try? SmallFile.read("/proc/net/ipv6_route", limit: limit)) ?? [])
    }
}
