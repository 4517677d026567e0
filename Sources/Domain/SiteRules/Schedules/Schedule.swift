import Encoding

/// When something holds, by the clock of the site: a week of windows, other windows on holidays, and what is
/// different once (V4).
///
/// Which layer counts at a minute: a one-off that covers it; otherwise the windows of the day, which are those of the
/// kind of holiday if the day is one that the schedule names (of two kinds the one that the schedule names first), and
/// those of the weekday if not. The windows of the day before count too as far as they reach past midnight.
public struct Schedule: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// The windows that begin on each day, Monday first: seven lists.
    public let week: [[DayWindow]]
    /// Windows on holidays. A kind that is not named here makes no difference.
    public let holidays: [HolidayWindows]
    /// What is different once.
    public let oneOffs: [OneOff]

    /// The most windows of one day.
    public static let mostWindows = 48
    /// The most kinds of holidays with windows of their own.
    public static let mostHolidays = 64
    /// The most one-offs.
    public static let mostOneOffs = 1000

    /// A schedule.
    /// - Parameter week: the windows by weekday; days that are absent have none.
    public init(name: String, week: [Weekday: [DayWindow]], holidays: [HolidayWindows] = [], oneOffs: [OneOff] = []) {
        self.name = name
        self.week = Weekday.allCases.map { week[$0] ?? [] }
        self.holidays = holidays
        self.oneOffs = oneOffs
    }
}

/// The windows that a schedule has on the days of a kind of holiday, instead of those of the weekday.
public struct HolidayWindows: Hashable, Sendable {
    /// The kind (`HolidayCalendar.kind`).
    public let kind: String
    /// The windows that begin on such a day; none: nothing begins on it.
    public let windows: [DayWindow]

    /// Windows for a kind of holiday.
    public init(kind: String, windows: [DayWindow]) {
        self.kind = kind
        self.windows = windows
    }
}

/// A day of the week.
public enum Weekday: Int, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// The weekday of a date.
    public init(_ date: CivilDate) { self.init(daysSince1970: date.daysSince1970) }

    /// 1 January 1970 was a Thursday.
    init(daysSince1970: Int64) {
        let day = daysSince1970 + 3
        self = Self.allCases[Int(day - day.quotientFloor(7) * 7)]
    }
}
