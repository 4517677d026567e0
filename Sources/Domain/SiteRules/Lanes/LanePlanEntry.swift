import Vocabulary

/// One line of a lane's plan: while a schedule is in force, the lane has a mode.
public struct LanePlanEntry: Hashable, Sendable {
    /// The schedule; nil: whenever no other entry counts.
    public let schedule: String?
    /// The mode while it is in force.
    public let mode: LaneMode
    /// The direction of free passage or of a way held open; nil: what the lane is set to.
    public let direction: Direction?
    /// Of several whose schedules are in force the one with the highest priority counts.
    public let priority: Int64

    /// The priorities there are.
    public static let priorities: ClosedRange<Int64> = 0...99

    /// An entry.
    /// - Parameter priority: one of `priorities`.
    public init(schedule: String?, mode: LaneMode, direction: Direction? = nil, priority: Int64 = 0) {
        self.schedule = schedule
        self.mode = mode
        self.direction = direction
        self.priority = priority
    }
}

/// The modes of a lane by schedule. Of the entries whose schedule is in force the one with the highest priority counts, of equal
/// ones the strictest; when none is, the entry without a schedule; without such an entry the lane is `normal`.
public struct LanePlan: Hashable, Sendable {
    /// The lane's name.
    public let lane: String
    /// The entries.
    public let entries: [LanePlanEntry]

    /// The most entries.
    public static let mostEntries = 64

    /// A plan.
    public init(lane: String, entries: [LanePlanEntry]) {
        self.lane = lane
        self.entries = entries
    }
}
