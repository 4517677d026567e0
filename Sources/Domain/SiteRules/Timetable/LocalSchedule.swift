import Encoding

/// A schedule with its holidays, by the minutes of the site's clock: whether it is in force depends on nothing else.
struct LocalSchedule: Sendable {
    private let week: [[DayWindow]]
    /// In the order in which the schedule names the kinds: the first that has a day counts.
    private let holidays: [(days: DaySet, windows: [DayWindow])]
    let oneOffs: OneOffTimeline
    /// Whether an ordinary week is in force all the time or never, so that ordinary days change nothing.
    private let isWeekConstant: Bool

    init(_ schedule: Schedule, calendars: [HolidayCalendar]) {
        week = schedule.week
        holidays = schedule.holidays.map { named in
            (DaySet(calendars.filter { $0.kind == named.kind }.flatMap(\.dates)), named.windows)
        }
        oneOffs = OneOffTimeline(schedule.oneOffs)
        isWeekConstant = Self.isConstant(schedule.week)
    }

    /// Whether it is in force at a minute since 1970.
    func isInForce(at minute: Int64) -> Bool {
        if let verdict = oneOffs.verdict(at: minute) { return verdict }
        let day = minute.quotientFloor(DayWindow.minutesOfDay)
        let time = minute - day * DayWindow.minutesOfDay
        return windows(onDay: day).contains { $0.opens <= time && time < $0.closes }
            || windows(onDay: day - 1).contains { time + DayWindow.minutesOfDay < $0.closes }
    }

    /// The minutes of a day at which something may change, in order; some may come twice.
    func boundaries(onDay day: Int64) -> [Int64] {
        let start = day * DayWindow.minutesOfDay
        var boundaries = Array(oneOffs.boundaries(from: start, to: start + DayWindow.minutesOfDay))
        if isWeekConstant, !isHoliday(day), !isHoliday(day - 1) { return boundaries }
        for window in windows(onDay: day) {
            boundaries.append(start + window.opens)
            if window.closes < DayWindow.minutesOfDay { boundaries.append(start + window.closes) }
        }
        for window in windows(onDay: day - 1) where window.closes >= DayWindow.minutesOfDay {
            boundaries.append(start - DayWindow.minutesOfDay + window.closes)
        }
        return boundaries.sorted()
    }

    /// The days on which something is said by date, so that they are like no ordinary week.
    var explicitDays: [ClosedRange<Int64>] {
        let boundaries = oneOffs.boundaries.map { $0.quotientFloor(DayWindow.minutesOfDay) }
        return holidays.flatMap(\.days.spans) + boundaries.map { $0...$0 }
    }

    private func windows(onDay day: Int64) -> [DayWindow] {
        if let holiday = holiday(day) { return holidays[holiday].windows }
        return week[Weekday(daysSince1970: day).rawValue]
    }

    private func isHoliday(_ day: Int64) -> Bool { holiday(day) != nil }

    private func holiday(_ day: Int64) -> Int? {
        guard !holidays.isEmpty else { return nil }
        let date = CivilDate(daysSince1970: day)
        return holidays.firstIndex { $0.days.contains(day: day, date: date) }
    }

    /// Whether the windows cover the whole of a week, which follows upon itself, or nothing.
    private static func isConstant(_ week: [[DayWindow]]) -> Bool {
        let whole = Int64(week.count) * DayWindow.minutesOfDay
        var windows: [(opens: Int64, closes: Int64)] = []
        for (day, ofDay) in week.enumerated() {
            for window in ofDay {
                let start = Int64(day) * DayWindow.minutesOfDay
                windows.append((start + window.opens, start + window.closes))
                // What reaches past Sunday is there on Monday too.
                windows.append((start + window.opens - whole, start + window.closes - whole))
            }
        }
        guard !windows.isEmpty else { return true }
        var covered: Int64 = 0
        for window in windows.sorted(by: { $0.opens < $1.opens }) {
            if window.opens > covered { return false }
            covered = max(covered, window.closes)
        }
        return covered >= whole
    }
}

/// The days of one kind of holiday, so that one can ask about a day quickly.
struct DaySet: Sendable {
    /// Days since 1970, in order; no two touch.
    let spans: [ClosedRange<Int64>]
    /// Months and days, as 100 × month + day.
    private let yearly: Set<Int64>

    init(_ dates: [HolidayDate]) {
        var yearly: Set<Int64> = []
        var spans: [ClosedRange<Int64>] = []
        for date in dates {
            switch date {
            case .days(let first, let last): spans.append(first.daysSince1970...max(first.daysSince1970, last.daysSince1970))
            case .yearly(let month, let day): yearly.insert(100 * month + day)
            }
        }
        self.yearly = yearly
        self.spans = Self.merged(spans)
    }

    func contains(day: Int64, date: CivilDate) -> Bool {
        yearly.contains(100 * date.month + date.day) || isInSpan(day)
    }

    private func isInSpan(_ day: Int64) -> Bool {
        var low = 0
        var high = spans.count
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].upperBound < day { low = middle + 1 } else { high = middle }
        }
        return low < spans.count && spans[low].contains(day)
    }

    private static func merged(_ spans: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var merged: [ClosedRange<Int64>] = []
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, span.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
            } else {
                merged.append(span)
            }
        }
        return merged
    }
}
