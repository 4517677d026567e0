import SeededNumbers
@testable import Controller
@testable import Sync

/// One random history of requests and runs, and what must hold in each: told by what was done, not by how the plan works.
struct SyncHistory {
    /// The law that does not hold, with the moment.
    private(set) var broken: String?
    private(set) var runs = 0

    private var random: SeededNumbers
    private var now: Int64 = 0
    private var period: Int64
    private var plan: SyncPlan
    private var running: UInt64?
    private var lastEnd: Int64?
    private var failures = 0
    private var lastByNetwork: Int64?
    /// The runs that were promised to somebody who asked, and have not begun.
    private var promised: Set<UInt64> = []
    private var requests: Set<SyncPlan.Cause>
    /// Runs of folders that have begun, and the one that waits.
    private(set) var visits = 0
    private var waitingVisits: [UInt64] = []
    private var isVisiting = false
    private var wasVisit = false
    private var runBegan: Int64 = 0

    init(seed: UInt64) {
        random = SeededNumbers(seed: seed)
        period = 60_000 * Int64(1 + seed % 60)
        let hasData = seed % 3 != 0
        plan = SyncPlan(period: period, hasData: hasData, spread: 30_000, at: 0, random: seed &* 7919)
        requests = [hasData ? .start : .noData]
    }

    mutating func step() {
        now += pass()
        switch random.next() % 12 {
        case 0: ask()
        case 1:
            requests.insert(.noData)
            plan.dataLost(at: now)
        case 2:
            if failures > 0, !isBusy { requests.insert(.network) }
            plan.networkReturned(at: now)
        case 3 where random.next() % 8 == 0:
            period = 60_000 * Int64(1 + random.next() % 60)
            plan.adopt(period: period, at: now, random: random.next())
        case 4, 5, 6: end()
        case 7 where random.next() % 4 == 0: visit()
        default: begin()
        }
        law((plan.due == nil) == isBusy, "a run is due just while none goes on")
    }

    private var isBusy: Bool { running != nil || isVisiting }

    private mutating func visit() {
        let number = plan.visit()
        let next = UInt64(visits + waitingVisits.count + 1)
        law(number == (waitingVisits.count < 4 ? next : nil), "few folders wait, each with the number of its run")
        if let number { waitingVisits.append(number) }
        if !isBusy { law((plan.due ?? .max) <= max(now, (lastEnd ?? .min / 2) + SyncPlan.pause), "who brings a folder does not wait without need") }
    }

    /// Mostly a moment, sometimes exactly to what is due, sometimes hours.
    private mutating func pass() -> Int64 {
        switch random.next() % 8 {
        case 0: Int64(random.next() % 7_200_000)
        case 1, 2, 3: max(0, (plan.due ?? now) - now)
        default: Int64(random.next() % 2000)
        }
    }

    private mutating func ask() {
        let number = plan.ask(at: now)
        requests.insert(.asked)
        law(number == UInt64(runs) + 1, "who asks is promised the next run that begins")
        promised.insert(number)
        if !isBusy { law((plan.due ?? .max) <= max(now, (lastEnd ?? .min / 2) + SyncPlan.pause), "who asks does not wait without need") }
    }

    private mutating func begin() {
        let due = plan.due, serverDue = plan.serverDue ?? .max
        guard let run = plan.begin(at: now) else {
            law(isBusy || (due ?? .max) > now, "what is due begins")
            return
        }
        law(!isBusy, "one run at a time")
        law((due ?? .max) <= now, "no run begins before it is due")
        if let lastEnd { law(now - lastEnd >= SyncPlan.pause, "a second lies between two runs") }
        if run.cause == .folder {
            law(!wasVisit || serverDue > now, "between two folders the server is asked, if it is due")
            return beginVisit(run)
        }
        law(waitingVisits.isEmpty || wasVisit, "a folder is the next, but after a folder")
        law(run.number == UInt64(runs) + 1, "runs are counted one by one")
        law(requests.contains(run.cause), "the cause is one of those there were")
        if run.cause == .network {
            if let lastByNetwork { law(now - lastByNetwork >= SyncPlan.networkPause, "a network brings about one run a minute") }
            lastByNetwork = now
        }
        runs += 1
        runBegan = now
        running = run.number
        promised.remove(run.number)
        law(promised.isEmpty, "a promised run is never passed over")
        requests = []
    }

    private mutating func beginVisit(_ run: SyncPlan.Run) {
        law(run.number == waitingVisits.first, "the folder that waited longest is read")
        waitingVisits.removeFirst()
        visits += 1
        isVisiting = true
    }

    /// What comes of a folder is nothing to the server.
    private mutating func endVisit() {
        let turn = plan.serverDue, count = plan.failures
        plan.ended(succeeded: random.next() % 2 == 0, at: now, random: random.next())
        isVisiting = false
        wasVisit = true
        lastEnd = now
        law(plan.failures == count, "a folder is no failure of the server, and fixes none")
        law(plan.serverDue == max(turn ?? 0, now + SyncPlan.pause), "the server's turn comes as if no folder had been there")
    }

    private mutating func end() {
        if isVisiting { return endVisit() }
        guard running != nil else { return }
        if plan.givesWay(at: now), random.next() % 2 == 0 { return giveWay() }
        let succeeded = random.next() % 3 != 0
        plan.ended(succeeded: succeeded, at: now, random: random.next())
        running = nil
        wasVisit = false
        lastEnd = now
        failures = succeeded ? 0 : failures + 1
        let wait = (plan.serverDue ?? .max) - now
        if !requests.isEmpty {
            law(wait == SyncPlan.pause, "whatever was wanted meanwhile is one more run, at once")
        } else if succeeded {
            law(wait >= period * 9 / 10 && wait <= period * 11 / 10 + SyncPlan.pause, "nobody wants more than a run a period")
            requests = [.period]
        } else {
            let bound = min(period, SyncPlan.firstRetry << min(failures - 1, 20))
            law(wait >= SyncPlan.pause && wait <= SyncPlan.pause + bound, "a failure is tried again within its bound")
            requests = [.retry]
        }
    }

    /// Only to somebody, and for a second.
    private mutating func giveWay() {
        law(!waitingVisits.isEmpty || !requests.isEmpty || now - runBegan >= period, "a run gives way to a folder, to who asks, or to the next look")
        law(now - runBegan >= SyncPlan.leastStretch, "and not before its time")
        plan.gaveWay(isResumed: random.next() % 2 == 0, at: now)
        running = nil
        wasVisit = false
        lastEnd = now
        law(plan.failures == failures && plan.serverDue == now + SyncPlan.pause, "it is no failure, and goes on at once")
        if requests.isEmpty { requests = [.resume] }
    }

    private mutating func law(_ holds: Bool, _ sentence: String) {
        if !holds, broken == nil { broken = "\(sentence), at \(now) after \(runs) runs" }
    }
}
