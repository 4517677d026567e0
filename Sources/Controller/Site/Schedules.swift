import Gate
import SiteRules
import Vocabulary

/// The schedules of the site data, by their names.
package struct Schedules: Sendable {
    /// Whether a schedule is in force at that reading of the clock, for a use that says what to believe where nobody can say; nil where the
    /// site data do not have it.
    package let isInForce: @Sendable (String, ClockReading, ScheduleUse) -> Bool?

    /// Publications of format 1 carry none.
    static let none = Schedules { _, _, _ in nil }
}

extension Schedules {
    /// Those of the site data in use. What restricts, as a second factor does, does so at a time that nobody knows, and goes on doing so
    /// until somebody has confirmed the time.
    package init(_ hours: SiteHours) {
        self.init { name, clock, use in
            let moment: SiteMoment = switch use {
            case .grants: SiteMoment(clock)
            case .restricts: clock.isConfirmed ? SiteMoment(clock) : .unknown
            }
            return hours.current.timetable.isInForce(name, at: moment, for: use)
        }
    }
}
