extension SiteRecord {
    /// What of it is more than gates take, as a sentence; nil where nothing is. They refuse the whole of which it is a part.
    public var excess: String? {
        switch self {
        case .holidays(let calendar):
            Self.sentence("The kind of holiday '\(calendar.kind)'", calendar.dates.count, HolidayCalendar.mostDates, "dates")
        case .schedule(let schedule):
            Self.sentence("A day of the schedule '\(schedule.name)'", (schedule.week + schedule.holidays.map(\.windows)).map(\.count).max() ?? 0,
                          Schedule.mostWindows, "windows")
                ?? Self.sentence("The schedule '\(schedule.name)'", schedule.holidays.count, Schedule.mostHolidays, "kinds of holidays")
                ?? Self.sentence("The schedule '\(schedule.name)'", schedule.oneOffs.count, Schedule.mostOneOffs, "times that it is open or closed once")
        case .lanePlan(let plan):
            Self.sentence("The plan of the lane '\(plan.lane)'", plan.entries.count, LanePlan.mostEntries, "entries")
        case .timeZone, .access, .zone, .membership:
            nil
        }
    }

    private static func sentence(_ what: String, _ count: Int, _ most: Int, _ things: String) -> String? {
        count > most ? "\(what) has \(count) \(things); gates take \(most)." : nil
    }
}
