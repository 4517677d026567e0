import Encoding

extension SiteTimetable {
    /// Days after which no change is looked for any more: nine years, in which 29 February comes at least once.
    public static let horizon: Int64 = 3300

    /// The first UNIX second after another at which a schedule begins or ends to be in force; nil when it does not within
    /// the horizon, when the site does not have it, or without the zone's data.
    public func nextChange(ofSchedule name: String, after time: Int64) -> Int64? {
        guard let timeZone, let schedule = local[name] else { return nil }
        return Self.nextChange(of: schedule, in: timeZone, after: time)
    }

    /// The first UNIX second after another at which the state of a lane's plan changes.
    public func nextChange(ofLane lane: String, after time: Int64) -> Int64? {
        guard let before = plan(ofLane: lane, at: .known(time)) else { return nil }
        let names = Set(rules.plans.first { $0.lane == lane }?.entries.compactMap(\.schedule) ?? [])
        var coming = Dictionary(uniqueKeysWithValues: names.map { ($0, nextChange(ofSchedule: $0, after: time)) })
        let end = time.addingReportingOverflow(Self.horizon * 86_400)
        while let next = coming.values.compactMap(\.self).min(), !end.overflow, next <= end.partialValue {
            if plan(ofLane: lane, at: .known(next)) != before { return next }
            for (name, change) in coming where change == next { coming[name] = nextChange(ofSchedule: name, after: next) }
        }
        return nil
    }

    /// The first UNIX second after another at which any schedule changes.
    public func nextChange(after time: Int64) -> Int64? {
        rules.schedules.compactMap { nextChange(ofSchedule: $0.name, after: time) }.min()
    }

    /// What counts is a function of the minutes that the clock has reached, and these never go back. So something changes at
    /// the instant of a boundary or not at all; a boundary that the clock leaves out comes with the first minute after it.
    private static func nextChange(of schedule: LocalSchedule, in timeZone: TimeZoneData, after time: Int64) -> Int64? {
        let now = timeZone.latestClock(by: time).quotientFloor(60)
        let before = schedule.isInForce(at: now)
        let today = now.quotientFloor(DayWindow.minutesOfDay)
        for day in today...(today + horizon) {
            // What is said at a boundary that the clock leaves out is said by the last of those it leaves out with it.
            for boundary in schedule.boundaries(onDay: day) where boundary > now && schedule.isInForce(at: boundary) != before {
                let instant = timeZone.instant(ofClock: boundary * 60)
                let minute = timeZone.latestClock(by: instant).quotientFloor(60)
                if schedule.isInForce(at: minute) != before { return instant }
            }
        }
        return nil
    }
}
