import Credentials
import Gate
import Service
import SiteRules
import Threads
import Vocabulary

/// The thread that gives lanes the modes of their plans, when the site's clock comes to them.
///
/// It looks at what the plans say when it starts, when the time of the next change has come, when somebody sets the clock, when
/// others say that site data or configuration are new or that the clock is believed again or confirmed, and once a minute. It writes to no
/// lines: each lane's timekeeper does.
///
/// Any thread may call. `applying` comes first, and lanes are told under it, in the order of what plans say; `lanes`, `told` and `shown` guard
/// one value each.
package final class PlanRunner: Sendable {
    private let hours: SiteHours
    private let now: @Sendable () -> ClockReading
    private let log: Log
    private let loops: Loops
    private let lanes = Mutex<[PlannedLane]>([])
    private let notified = Mutex<[String: LanePlanState]>([:])
    private let shown = Mutex(PlanOutlook.none)
    /// One at a time, or an older word might come last.
    private let applying = Mutex(())
    private let alarm: ClockAlarm
    private let worker = Monitor<Worker?>(nil)

    package init(hours: SiteHours, now: @escaping @Sendable () -> ClockReading, log: Log, loops: Loops) throws(SystemError) {
        self.hours = hours
        self.now = now
        self.log = log
        self.loops = loops
        alarm = try ClockAlarm()
    }

    /// Starts the thread.
    package func start() throws(SystemError) {
        let started = try Worker(name: "schedules", loops: loops) { [self] loop in run(loop) }
        worker.withLock { $0 = started }
    }

    /// Ends the thread and waits for its end.
    package func stop() {
        alarm.stop()
        worker.withLock { $0 }?.join()
        lanes.withLock { $0 = [] }
    }

    /// From now on these lanes follow their plans: what these say now, they are told before this returns.
    package func drive(_ lanes: [PlannedLane]) {
        self.lanes.withLock { $0 = lanes }
        apply()
        look()
    }

    /// What was worked out last. Never waits.
    package var outlook: PlanOutlook { shown.withLock { $0 } }

    /// Something that plans depend on may be new: looks at once, on its own thread. Never waits.
    package func look() { alarm.wake() }

    private func run(_ loop: Loop) {
        repeat {
            let clock = now()
            alarm.arm(atSeconds: apply(clock), now: clock.seconds)
        } while alarm.wait(atMost: Self.interval, loop)
    }

    /// Milliseconds after which the clock's trust is looked at, which may change without anybody setting the clock.
    private static let interval: Int64 = 60_000

    /// Tells each lane what its plan says now. Answers the UNIX second of the next change.
    @discardableResult
    func apply() -> Int64? { apply(now()) }

    private func apply(_ clock: ClockReading) -> Int64? {
        applying.withLock { _ in
            let lanes = lanes.withLock { $0 }
            let timetable = hours.current.timetable
            for lane in lanes { notify(lane, timetable.state(ofLane: lane.name, at: clock) ?? .normal) }
            // No lane waits for this: years are looked through for a schedule that hardly ever changes.
            let outlook = Loop.outside(Self.planning) { PlanOutlook(timetable, lanes: lanes.map(\.name), at: clock) }
            shown.withLock { $0 = outlook }
            return outlook.next
        }
    }

    private static let planning = OutsideCall(
        "working out the plans of lanes", .fault(afterMilliseconds: 60_000), remedy: "Fewer schedules that never change, in the site's rules.")

    private func notify(_ lane: PlannedLane, _ state: LanePlanState) {
        let before = notified.withLock { told in
            defer { told[lane.name] = state }
            return told[lane.name] ?? .normal
        }
        guard before != state else { return }
        let modeRequest = ModeRequest(state)
        if modeRequest != ModeRequest(before) { lane.setMode(modeRequest) }
        if state.isWithheld {
            log.warning("plan-unconfirmed: lane \(lane.name) would be open by \(state.schedule.map { "the schedule \($0)" } ?? "its plan"), but nobody has confirmed the time since the machine started: sudo tapstile clock confirm")
        } else if state.isGuess {
            log.warning("plan-uncertain: lane \(lane.name) is \(state.mode.rawValue), the strictest of what its plan may say: time, time zone or schedule are not known")
        } else {
            log.notice("lane \(lane.name) is \(state.mode.rawValue) by \(state.schedule.map { "the schedule \($0)" } ?? "its plan")")
        }
    }
}

/// What plans make of lanes, as it was worked out last: `status` shows it, for working it out may take long.
package struct PlanOutlook: Sendable {
    /// One lane with a plan.
    package struct Lane: Sendable {
        /// What the plan wants.
        package let state: LanePlanState
        /// The UNIX second at which that changes; nil where it does not, or nobody knows when.
        package let until: Int64?
    }

    /// The lanes that have a plan, by name.
    package let lanes: [String: Lane]

    /// The UNIX second of the next change of any lane.
    package var next: Int64? { lanes.values.compactMap(\.until).min() }

    /// No lane has a plan.
    static let none = PlanOutlook(lanes: [:])
}

extension PlanOutlook {
    /// What a timetable makes of lanes at a reading of the clock.
    package init(_ timetable: SiteTimetable, lanes: [String], at clock: ClockReading) {
        let planned = lanes.compactMap { name in
            timetable.state(ofLane: name, at: clock).map { (name, Lane(state: $0, until: timetable.change(ofLane: name, after: SiteMoment(clock)))) }
        }
        self.init(lanes: Dictionary(planned) { first, _ in first })
    }
}

extension SiteTimetable {
    /// What the plan of a lane may make of it at a reading of the clock; nil for a lane without a plan.
    package func state(ofLane lane: String, at clock: ClockReading) -> LanePlanState? {
        let state = plan(ofLane: lane, at: SiteMoment(clock))
        return clock.isConfirmed ? state : state?.unconfirmed
    }

    fileprivate func change(ofLane lane: String, after moment: SiteMoment) -> Int64? {
        switch moment {
        case .known(let time): nextChange(ofLane: lane, after: time)
        case .unknown: nil
        }
    }
}

/// A lane that follows a plan.
package struct PlannedLane: Sendable {
    /// Its name, by which the plan knows it.
    let name: String
    /// Told what the plan wants; nil for nothing. Must not wait for lines.
    let setMode: @Sendable (ModeRequest?) -> Void

    package init(name: String, setMode: @escaping @Sendable (ModeRequest?) -> Void) {
        self.name = name
        self.setMode = setMode
    }
}
