import Encoding

/// One decision of the site about time and places, as it is published: an array that begins with the number of its kind.
///
/// The numbers go on from those of `PublicationRecord`. Names are texts of 1 to 256 bytes.
public enum SiteRecord: Hashable, Sendable {
    /// `[5, name]`: the time zone of all schedules.
    case timeZone(TimeZoneName)
    /// `[6, kind, [[0, first, last] | [1, month, day]…]]`, days being counted from 1 January 1970.
    case holidays(HolidayCalendar)
    /// `[7, name, [[window…] × 7], [[kind, [window…]]…], [[from, to, opens, priority]…]]`: a window is
    /// `[opens, closes]` in minutes of the day, the week begins on Monday, one-offs are in minutes since 1970 by the site's clock.
    case schedule(Schedule)
    /// `[8, lane, [[schedule / null, mode, direction / null, priority]…]]`: modes are those of `PlannedMode`, directions 0 in, 1 out.
    case lanePlan(LanePlan)
    /// `[9, group, [lane…], schedule / null]`
    case access(AccessRule)
    /// `[10, zone, passback, minute of reset / null, [exempt group…], capacity / null]`: passback is 0 off, 1 soft, 2 hard,
    /// or `[3, minutes]` timed.
    case zone(ZoneRule)
    /// `[11, group, subject]`
    case membership(Membership)

    /// The numbers of the kinds.
    public static let kinds: ClosedRange<UInt64> = 5...11

    /// The number of its kind.
    public var kind: UInt64 {
        switch self {
        case .timeZone: Kind.timeZone
        case .holidays: Kind.holidays
        case .schedule: Kind.schedule
        case .lanePlan: Kind.lanePlan
        case .access: Kind.access
        case .zone: Kind.zone
        case .membership: Kind.membership
        }
    }

    enum Kind {
        static let timeZone: UInt64 = 5
        static let holidays: UInt64 = 6
        static let schedule: UInt64 = 7
        static let lanePlan: UInt64 = 8
        static let access: UInt64 = 9
        static let zone: UInt64 = 10
        static let membership: UInt64 = 11
    }
}
