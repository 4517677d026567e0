/// What is wrong with a lane that serves nevertheless.
public enum LaneWarning: Hashable, Sendable {
    /// An output was energised before the gate took it. While the gate drives the line all is well; whenever it does
    /// not (start, end, power-up of the board) the relay is on.
    case restUnsafe
    /// The lane's second factor goes by a schedule that the site data do not have: it is wanted always.
    case scheduleUnknown(String)

    /// Stable code, for status, events, log and journal.
    public var code: String {
        switch self {
        case .restUnsafe: "line-rest-unsafe"
        case .scheduleUnknown: "schedule-unknown"
        }
    }

    /// A sentence for people that names the mend.
    public var message: String {
        switch self {
        case .restUnsafe:
            "With nobody driving this line, what hangs on it is on: it was, while the gate did not hold it. Mend the wiring: a "
                + "resistor (10 kΩ) to the level of rest, or another line, or the other `active` in the configuration."
        case .scheduleUnknown(let name):
            "The site data have no schedule \(name), so that the second factor is wanted at all times. Correct "
                + "`second-factor-schedule` or the site data, or choose \"always\" or \"never\"."
        }
    }
}
