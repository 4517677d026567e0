import Encoding

/// A date and minute as the site's clock shows them, whatever the zone.
public struct LocalMinute: Comparable, Hashable, Sendable {
    /// Minutes since 1 January 1970, 00:00, by that clock.
    public let minutes: Int64

    /// A minute of a day.
    /// - Parameter minuteOfDay: 0 to 1440; 1440 is midnight at its end.
    public init(_ date: CivilDate, minuteOfDay: Int64 = 0) {
        self.init(minutes: date.daysSince1970 * DayWindow.minutesOfDay + minuteOfDay)
    }

    init(minutes: Int64) { self.minutes = minutes }

    /// The day.
    public var date: CivilDate { CivilDate(daysSince1970: minutes.quotientFloor(DayWindow.minutesOfDay)) }

    public static func < (left: LocalMinute, right: LocalMinute) -> Bool { left.minutes < right.minutes }

    /// Those that schedules may speak of: the years 1970 to 9999.
    static let acceptable: ClosedRange<Int64> = 0...(2_932_897 * DayWindow.minutesOfDay)
}
