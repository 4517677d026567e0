/// Where a lane's mode comes from. The raw value is the word of status, events and journal.
public enum ModeSource: String, Hashable, Sendable, CaseIterable {
    /// Nobody wants any: the lane is as it is installed.
    case standard
    /// A schedule of the site.
    case schedule
    /// A command of a phone, until another or until its time is over.
    case phone
    /// An action of an operator, until `normal` or until its time is over.
    case `operator`
    /// The switch that is wired to the lane.
    case input
}
