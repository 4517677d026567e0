/// A group may pass some lanes while a schedule is in force (V4).
///
/// Rules bind those who are in a group that any rule names, for any lane: they need one rule in force for the lane. All
/// others are free of rules.
public struct AccessRule: Hashable, Sendable {
    /// The group.
    public let group: String
    /// The lanes; none: every lane of the site.
    public let lanes: [String]
    /// The schedule; nil: at all times.
    public let schedule: String?

    /// A rule.
    public init(group: String, lanes: [String] = [], schedule: String? = nil) {
        self.group = group
        self.lanes = lanes
        self.schedule = schedule
    }

    /// Whether it speaks of a lane.
    public func covers(lane: String) -> Bool { lanes.isEmpty || lanes.contains(lane) }
}
