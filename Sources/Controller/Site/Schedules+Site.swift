import SiteRules

extension Schedules {
    /// Those of the site data in use. A second factor restricts: at a time that nobody knows it is wanted.
    init(_ hours: SiteHours) {
        self.init { name, clock in hours.current.timetable.isInForce(name, at: SiteMoment(clock), for: .restricts) }
    }
}
