import Gate
import Threads

/// A lane that follows a plan.
struct PlannedLane: Sendable {
    /// Its name, by which the plan knows it.
    let name: String
    /// Told what the plan wants; nil for nothing. Must not wait for lines.
    let setMode: @Sendable (ModeRequest?) -> Void
}

extension PlannedLane {
    /// A lane at work.
    init(_ lane: LaneRunner) {
        self.init(name: lane.name) { modeRequest in
            lane.setMode(bySchedule: modeRequest, at: Instant(milliseconds: MonotonicTime.milliseconds))
        }
    }
}
