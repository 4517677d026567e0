import Credentials
import SiteRules

/// The schedules of the site data, by their names.
struct Schedules: Sendable {
    /// Whether a schedule is in force at that reading of the clock, for a use that says what to believe where nobody can say; nil where the
    /// site data do not have it.
    let isInForce: @Sendable (String, ClockReading, ScheduleUse) -> Bool?

    /// Publications of format 1 carry none.
    static let none = Schedules { _, _, _ in nil }
}
