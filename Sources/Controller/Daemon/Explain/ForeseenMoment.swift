import Credentials
import Gate
import Service
import SiteRules
import Vocabulary

/// A lane and a time at which somebody is judged: now, or another time, as far as it can be known.
struct ForeseenMoment: Sendable {
    /// The time of day, believed as far as now.
    let time: WallTime
    /// The same in the time of lanes; never before now.
    let instant: Instant
    /// By how many seconds it lies ahead.
    let ahead: Int64
    /// The lane.
    let lane: Lane
}

/// Where one stands who looks ahead: the time, and a copy of one lane as it is now.
struct LaneOutlook: Sendable {
    let now: WallTime
    let instant: Instant
    let lane: Lane
    let name: String
    let timetable: SiteTimetable

    /// This moment.
    var present: ForeseenMoment { ForeseenMoment(time: now, instant: instant, ahead: 0, lane: lane) }

    /// Another time. The plan of the lane is that of then; what has an end is over by then; all else is as it is now.
    func moment(at seconds: Int64) -> ForeseenMoment {
        let time = WallTime(milliseconds: seconds * 1000, trust: now.trust, basis: now.basis, isConfirmed: now.isConfirmed, jump: now.jump)
        let ahead = max(0, time.milliseconds - now.milliseconds)
        let then = instant + ahead
        let plan = timetable.state(ofLane: name, at: time.reading).flatMap { ModeRequest($0) }
        return ForeseenMoment(time: time, instant: then, ahead: ahead / 1000, lane: lane.foreseen(at: then, plan: plan))
    }
}
