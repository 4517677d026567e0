import Encoding
import Vocabulary

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
    /// `[8, lane, [[schedule / null, mode, direction / null, priority]…]]`: modes have the numbers of LaneMode+Plan.swift, directions 0 in, 1 out.
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

extension SiteRecord {
    /// The first of its names, in the order of its fields, of which this is so.
    public func firstName(where isSo: (String) -> Bool) -> String? {
        switch self {
        case .membership(let membership): isSo(membership.group) ? membership.group : isSo(membership.subject) ? membership.subject : nil
        case .timeZone(let name): isSo(name.text) ? name.text : nil
        case .holidays(let calendar): isSo(calendar.kind) ? calendar.kind : nil
        case .schedule(let schedule): ([schedule.name] + schedule.holidays.map(\.kind)).first(where: isSo)
        case .lanePlan(let plan): ([plan.lane] + plan.entries.compactMap(\.schedule)).first(where: isSo)
        case .access(let rule): ([rule.group] + rule.lanes + [rule.schedule].compactMap { $0 }).first(where: isSo)
        case .zone(let zone): ([zone.zone] + zone.exemptGroups).first(where: isSo)
        }
    }
}

extension SiteRecord {
    /// What of it is more than gates take, as a sentence; nil where nothing is. They refuse the whole of which it is a part.
    public var excess: String? {
        switch self {
        case .holidays(let calendar):
            Self.sentence("The kind of holiday '\(calendar.kind)'", calendar.dates.count, HolidayCalendar.mostDates, "dates")
        case .schedule(let schedule):
            Self.sentence("A day of the schedule '\(schedule.name)'", (schedule.week + schedule.holidays.map(\.windows)).map(\.count).max() ?? 0,
                          Schedule.mostWindows, "windows")
                ?? Self.sentence("The schedule '\(schedule.name)'", schedule.holidays.count, Schedule.mostHolidays, "kinds of holidays")
                ?? Self.sentence("The schedule '\(schedule.name)'", schedule.oneOffs.count, Schedule.mostOneOffs, "times that it is open or closed once")
        case .lanePlan(let plan):
            Self.sentence("The plan of the lane '\(plan.lane)'", plan.entries.count, LanePlan.mostEntries, "entries")
        case .timeZone, .access, .zone, .membership:
            nil
        }
    }

    private static func sentence(_ what: String, _ count: Int, _ most: Int, _ things: String) -> String? {
        count > most ? "\(what) has \(count) \(things); gates take \(most)." : nil
    }
}

extension SiteRecord {
    /// The record as an item of a publication.
    public var cbor: CBOR { .array([.unsigned(kind)] + fields) }

    private var fields: [CBOR] {
        switch self {
        case .timeZone(let name): [.text(name.text)]
        case .holidays(let calendar): [.text(calendar.kind), .array(calendar.dates.map(\.cbor))]
        case .schedule(let schedule): schedule.fields
        case .lanePlan(let plan): [.text(plan.lane), .array(plan.entries.map(\.cbor))]
        case .access(let rule): [.text(rule.group), .texts(rule.lanes), CBOR(rule.schedule)]
        case .zone(let zone): zone.fields
        case .membership(let membership): [.text(membership.group), .text(membership.subject)]
        }
    }
}

extension HolidayDate {
    fileprivate var cbor: CBOR {
        switch self {
        case .days(let first, let last): [0, CBOR(first.daysSince1970), CBOR(last.daysSince1970)]
        case .yearly(let month, let day): [1, CBOR(month), CBOR(day)]
        }
    }
}

extension Schedule {
    fileprivate var fields: [CBOR] {
        [.text(name), .array(week.map { .windows($0) }),
         .array(holidays.map { [.text($0.kind), .windows($0.windows)] }), .array(oneOffs.map(\.cbor))]
    }
}

extension OneOff {
    fileprivate var cbor: CBOR { [CBOR(from.minutes), CBOR(to.minutes), CBOR(opens), CBOR(priority)] }
}

extension LanePlanEntry {
    fileprivate var cbor: CBOR {
        [CBOR(schedule), CBOR(mode.number), direction.map { CBOR($0.number) } ?? .null, CBOR(priority)]
    }
}

extension ZoneRule {
    fileprivate var fields: [CBOR] {
        [.text(zone), passback.cbor, CBOR(resetMinute), .texts(exemptGroups), CBOR(capacity)]
    }
}

extension PassbackMode {
    fileprivate var cbor: CBOR {
        switch self {
        case .off: 0
        case .soft: 1
        case .hard: 2
        case .timed(let milliseconds): [3, CBOR(milliseconds / 60_000)]
        }
    }
}

extension CBOR {
    fileprivate init(_ text: String?) { self = text.map(CBOR.text) ?? .null }

    fileprivate init(_ number: Int64?) { self = number.map { CBOR($0) } ?? .null }

    fileprivate static func texts(_ texts: [String]) -> CBOR { .array(texts.map(CBOR.text)) }

    fileprivate static func windows(_ windows: [DayWindow]) -> CBOR {
        .array(windows.map { [CBOR($0.opens), CBOR($0.closes)] })
    }
}

/// Why an item is no record of a site's rules.
public enum SiteRecordError: Error, Hashable, Sendable {
    /// Fields are missing, too many, out of range or not in their one form.
    case malformed
    /// A kind that this version does not know.
    case unknownKind
}
