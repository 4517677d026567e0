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
