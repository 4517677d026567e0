/// What the rules say about somebody at a lane.
public enum AccessVerdict: Hashable, Sendable {
    /// No rule binds them.
    case free
    /// A rule for one of their groups is in force.
    case allowed(group: String)
    /// Rules bind them and none is in force: `outside-schedule`.
    case outsideSchedule
    /// They are in more groups than are looked at (`Membership.mostOfOne`), so that nobody can say which rules bind them.
    case tooManyGroups
}
