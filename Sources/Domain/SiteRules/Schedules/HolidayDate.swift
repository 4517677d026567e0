import Encoding

/// Days of a kind of holiday.
public enum HolidayDate: Hashable, Sendable {
    /// The days from the first to the last, both included: at most `longestSpan` of them.
    case days(first: CivilDate, last: CivilDate)
    /// A day of every year. 29 February comes in leap years only.
    case yearly(month: Int64, day: Int64)

    /// The most days that one entry may span.
    public static let longestSpan: Int64 = 366

    /// Whether `date` is among them.
    public func contains(_ date: CivilDate) -> Bool {
        switch self {
        case .days(let first, let last):
            (first.daysSince1970...max(first.daysSince1970, last.daysSince1970)).contains(date.daysSince1970)
        case .yearly(let month, let day):
            date.month == month && date.day == day
        }
    }

    /// Whether the days exist, in this order, and are not too many.
    var isSound: Bool {
        switch self {
        case .days(let first, let last):
            (0..<Self.longestSpan).contains(last.daysSince1970 - first.daysSince1970)
        case .yearly(let month, let day):
            CivilDate(year: 2000, month: month, day: day) != nil
        }
    }
}

/// The days of one kind of holiday, such as `public` or `half-day`.
public struct HolidayCalendar: Hashable, Sendable {
    /// The name by which schedules give it windows of its own.
    public let kind: String
    /// Its days.
    public let dates: [HolidayDate]

    /// The most dates of a kind.
    public static let mostDates = 2000

    /// The days of a kind.
    public init(kind: String, dates: [HolidayDate]) {
        self.kind = kind
        self.dates = dates
    }
}
