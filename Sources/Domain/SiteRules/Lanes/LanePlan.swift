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
