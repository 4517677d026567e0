/// A stretch of time that begins on a given day, in minutes of the site's own clock.
///
/// It belongs to the day on which it begins: one from 22:00 to 06:00 on Fridays ends on Saturday morning,
/// whatever Saturday's windows are.
public struct DayWindow: Hashable, Sendable {
    /// The minutes of a day as a clock shows it.
    public static let minutesOfDay: Int64 = 1440

    /// The minute of the day at which it begins: 0 to 1439.
    public let opens: Int64
    /// The first minute that no longer belongs to it, counted from the same midnight: `opens` + 1 to `opens` + 1440.
    public let closes: Int64

    /// A window; nil for one that is empty or longer than a day.
    public init?(opens: Int64, closes: Int64) {
        guard (0..<Self.minutesOfDay).contains(opens), closes > opens, closes <= opens + Self.minutesOfDay else { return nil }
        self.opens = opens
        self.closes = closes
    }

    /// From midnight to midnight.
    public static let wholeDay = DayWindow(minutes: 0, minutesOfDay)

    private init(minutes opens: Int64, _ closes: Int64) {
        self.opens = opens
        self.closes = closes
    }

    /// Whether it goes on past midnight.
    public var endsNextDay: Bool { closes > Self.minutesOfDay }
}
