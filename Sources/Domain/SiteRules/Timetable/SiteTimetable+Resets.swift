import Encoding

extension SiteTimetable {
    /// The UNIX second at which everybody in a zone last counted as gone, by the site's clock: the latest such time of day that has
    /// come. Nil for a zone without a reset, and where nobody vouches for the time or the zone's data are missing: a reset lets
    /// people in.
    public func lastReset(ofZone name: String, at moment: SiteMoment) -> Int64? {
        guard case .known(let time) = moment, let timeZone,
              let minute = rules.zones.first(where: { $0.zone == name })?.resetMinute else { return nil }
        let today = timeZone.latestClock(by: time).quotientFloor(Self.day) * Self.day + minute * 60
        let reset = timeZone.instant(ofClock: today)
        return reset <= time ? reset : timeZone.instant(ofClock: today - Self.day)
    }

    private static let day: Int64 = 86_400
}
