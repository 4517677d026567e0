import Encoding

/// A day of every year in a POSIX TZ string (POSIX.1, 8.3).
enum PosixDay: Hashable, Sendable {
    /// `Jn`: 1 to 365. 29 February is never counted.
    case julian(Int64)
    /// `n`: 0 to 365. 29 February is counted.
    case ordinal(Int64)
    /// `Mm.w.d`: a month, the first to fourth or the last (5) of its days `d`, 0 being Sunday.
    case weekday(month: Int64, week: Int64, day: Int64)

    /// The day in a year, in days since 1970.
    func days(inYear year: Int64) -> Int64 {
        switch self {
        case .julian(let day):
            let isLeap = Self.firstDay(year, 3) - Self.firstDay(year, 2) == 29
            return Self.firstDay(year, 1) + day - 1 + (isLeap && day >= 60 ? 1 : 0)
        case .ordinal(let day):
            return Self.firstDay(year, 1) + day
        case .weekday(let month, let week, let day):
            let first = Self.firstDay(year, month)
            let next = month == 12 ? Self.firstDay(year + 1, 1) : Self.firstDay(year, month + 1)
            // 1 January 1970 was a Thursday, 4.
            let weekdayOfFirst = first + 4 - (first + 4).quotientFloor(7) * 7
            let firstOfDay = first + (day - weekdayOfFirst + 7) % 7
            let wanted = firstOfDay + (week - 1) * 7
            return wanted < next ? wanted : wanted - 7
        }
    }

    private static func firstDay(_ year: Int64, _ month: Int64) -> Int64 {
        // Months come from 1...12 and years from `TimeZoneData.times`, so that the day is there.
        CivilDate(year: year, month: month, day: 1)?.daysSince1970 ?? 0
    }
}
