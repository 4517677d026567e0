import Gate
import Lanes
import Site
import Threads

extension Controller {
    /// Site data or configuration are new: schedules, plans and rules are judged by what is in use now.
    func followSiteData() {
        parts.hours.refresh()
        parts.plans.drive(layout.withLock { $0 }.lanes.values.map { PlannedLane($0) })
        logLanes(layout.withLock { $0 }.configuration)
    }

    /// A new version of the zone's data may have been installed.
    func lookAtTimeZone() {
        if parts.hours.refresh() { parts.plans.look() }
    }
}

extension PlannedLane {
    /// A lane at work.
    init(_ lane: LaneRunner) {
        self.init(name: lane.name) { modeRequest in
            lane.setMode(bySchedule: modeRequest, at: Instant(milliseconds: MonotonicTime.milliseconds))
        }
    }
}
