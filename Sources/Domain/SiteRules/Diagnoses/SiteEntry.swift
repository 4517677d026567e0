/// A part of a site's rules that something is wrong with, for whoever knows where it was written.
public enum SiteEntry: Hashable, Sendable {
    /// The time zone.
    case timeZone
    /// A schedule as a whole.
    case schedule(String)
    /// One of a schedule's lists of windows for a kind of holiday, counted from 0.
    case holidayWindows(schedule: String, position: Int)
    /// One of a schedule's one-offs, counted from 0.
    case oneOff(schedule: String, position: Int)
    /// One entry of a lane's plan, counted from 0.
    case planEntry(lane: String, position: Int)
    /// One of the access rules, counted from 0.
    case rule(position: Int)
}
