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
