import Gate
import Threads

/// A lane that follows a plan.
struct PlannedLane: Sendable {
    /// Its name, by which the plan knows it.
    let name: String
    /// Told what the plan wants; nil for nothing. Must not wait for lines.
    let setMode: @Sendable (ModeWish?) -> Void
}

extension PlannedLane {
    /// A lane at work.
    init(_ lane: LaneRunner) {
        self.init(name: lane.name) { wish in
            lane.setMode(bySchedule: wish, at: Instant(milliseconds: MonotonicTime.milliseconds))
        }
    }
}
