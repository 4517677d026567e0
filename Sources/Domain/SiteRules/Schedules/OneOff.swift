import Encoding

/// A stretch of time, once, in which a schedule is in force or not, whatever its week and its holidays say.
public struct OneOff: Hashable, Sendable {
    /// The first minute.
    public let from: LocalMinute
    /// The first minute after it.
    public let to: LocalMinute
    /// Whether the schedule is in force in it.
    public let opens: Bool
    /// Of several that cover one minute the highest counts; of equal ones, one that closes.
    public let priority: Int64

    /// The priorities there are.
    public static let priorities: ClosedRange<Int64> = 0...99

    /// A one-off; nil for one that is empty, lies outside the years 1970 to 9999 or has no such priority.
    public init?(from: LocalMinute, to: LocalMinute, opens: Bool, priority: Int64 = 0) {
        guard from < to, LocalMinute.acceptable.contains(from.minutes), LocalMinute.acceptable.contains(to.minutes),
              Self.priorities.contains(priority) else { return nil }
        self.from = from
        self.to = to
        self.opens = opens
        self.priority = priority
    }
}

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
