import Credentials
import SiteRules

/// What plans make of lanes, as it was worked out last: `status` shows it, for working it out may take long.
struct PlanOutlook: Sendable {
    /// One lane with a plan.
    struct Lane: Sendable {
        /// What the plan wants.
        let state: LanePlanState
        /// The UNIX second at which that changes; nil where it does not, or nobody knows when.
        let until: Int64?
    }

    /// The lanes that have a plan, by name.
    let lanes: [String: Lane]

    /// The UNIX second of the next change of any lane.
    var next: Int64? { lanes.values.compactMap(\.until).min() }

    /// No lane has a plan.
    static let none = PlanOutlook(lanes: [:])
}

extension PlanOutlook {
    /// What a timetable makes of lanes at a reading of the clock.
    init(_ timetable: SiteTimetable, lanes: [String], at clock: ClockReading) {
        let planned = lanes.compactMap { name in
            timetable.state(ofLane: name, at: clock).map { (name, Lane(state: $0, until: timetable.change(ofLane: name, after: SiteMoment(clock)))) }
        }
        self.init(lanes: Dictionary(planned) { first, _ in first })
    }
}

extension SiteTimetable {
    /// What the plan of a lane may make of it at a reading of the clock; nil for a lane without a plan.
    func state(ofLane lane: String, at clock: ClockReading) -> LanePlanState? {
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
