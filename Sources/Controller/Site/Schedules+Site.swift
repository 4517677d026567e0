import SiteRules

extension Schedules {
    /// Those of the site data in use. What restricts, as a second factor does, does so at a time that nobody knows, and goes on doing so
    /// until somebody has confirmed the time.
    init(_ hours: SiteHours) {
        self.init { name, clock, use in
            let moment: SiteMoment = switch use {
            case .grants: SiteMoment(clock)
            case .restricts: clock.isConfirmed ? SiteMoment(clock) : .unknown
            }
            return hours.current.timetable.isInForce(name, at: moment, for: use)
        }
    }
}
