/// What it means to somebody that a schedule is in force: what to believe where nobody can say whether it is.
public enum ScheduleUse: Sendable {
    /// It lets somebody in. Unknown counts as not in force.
    case grants
    /// It asks for more or lets in fewer. Unknown counts as in force.
    case restricts
}
