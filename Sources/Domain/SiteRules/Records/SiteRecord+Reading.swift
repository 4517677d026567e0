import Encoding
import Vocabulary

extension SiteRecord {
    /// The longest name in bytes.
    public static let longestText = 256

    /// Reads a record. There is one form of each, so that what is read is written as it was.
    public init(cbor: CBOR) throws(SiteRecordError) {
        guard let fields = cbor.array, let kind = fields.first?.unsignedInteger else { throw .malformed }
        guard Self.kinds.contains(kind) else { throw .unknownKind }
        guard let record = Self.read(kind, Array(fields.dropFirst())), record.cbor == cbor else { throw .malformed }
        self = record
    }

    private static func read(_ kind: UInt64, _ fields: [CBOR]) -> SiteRecord? {
        switch kind {
        case Kind.timeZone: timeZone(fields)
        case Kind.holidays: holidays(fields)
        case Kind.schedule: Schedule(fields: fields).map(SiteRecord.schedule)
        case Kind.lanePlan: lanePlan(fields)
        case Kind.access: access(fields)
        case Kind.zone: ZoneRule(fields: fields).map(SiteRecord.zone)
        case Kind.membership: membership(fields)
        default: nil
        }
    }

    private static func timeZone(_ fields: [CBOR]) -> SiteRecord? {
        guard fields.count == 1, let name = fields[0].text.flatMap({ TimeZoneName($0) }) else { return nil }
        return .timeZone(name)
    }

    private static func holidays(_ fields: [CBOR]) -> SiteRecord? {
        guard fields.count == 2, let kind = fields[0].name, let dates = fields[1].all(HolidayDate.init),
              dates.count <= HolidayCalendar.mostDates else { return nil }
        return .holidays(HolidayCalendar(kind: kind, dates: dates))
    }

    private static func lanePlan(_ fields: [CBOR]) -> SiteRecord? {
        guard fields.count == 2, let lane = fields[0].name, let entries = fields[1].all(LanePlanEntry.init),
              entries.count <= LanePlan.mostEntries else { return nil }
        return .lanePlan(LanePlan(lane: lane, entries: entries))
    }

    private static func access(_ fields: [CBOR]) -> SiteRecord? {
        guard fields.count == 3, let group = fields[0].name, let lanes = fields[1].names,
              let schedule = fields[2].optional(\.name) else { return nil }
        return .access(AccessRule(group: group, lanes: lanes, schedule: schedule))
    }

    private static func membership(_ fields: [CBOR]) -> SiteRecord? {
        guard fields.count == 2, let group = fields[0].name, let subject = fields[1].name else { return nil }
        return .membership(Membership(group: group, subject: subject))
    }
}

extension HolidayDate {
    fileprivate init?(_ item: CBOR) {
        guard let numbers = item.all(\.integer), numbers.count == 3 else { return nil }
        switch numbers[0] {
        case 0:
            let days = LocalMinute.acceptable.upperBound / DayWindow.minutesOfDay
            guard (0...days).contains(numbers[1]), (0...days).contains(numbers[2]) else { return nil }
            self = .days(first: CivilDate(daysSince1970: numbers[1]), last: CivilDate(daysSince1970: numbers[2]))
        case 1:
            self = .yearly(month: numbers[1], day: numbers[2])
        default:
            return nil
        }
        guard isSound else { return nil }
    }
}

extension DayWindow {
    fileprivate init?(_ item: CBOR) {
        guard let numbers = item.all(\.integer), numbers.count == 2 else { return nil }
        // `opens` is at most 1439 where this succeeds, but the sum must not overflow before that is known.
        guard (0..<Self.minutesOfDay).contains(numbers[0]) else { return nil }
        self.init(opens: numbers[0], closes: numbers[1])
    }
}

extension OneOff {
    fileprivate init?(_ item: CBOR) {
        guard let fields = item.array, fields.count == 4, let from = fields[0].integer, let to = fields[1].integer,
              let opens = fields[2].bool, let priority = fields[3].integer else { return nil }
        self.init(from: LocalMinute(minutes: from), to: LocalMinute(minutes: to), opens: opens, priority: priority)
    }
}

extension HolidayWindows {
    fileprivate init?(_ item: CBOR) {
        guard let fields = item.array, fields.count == 2, let kind = fields[0].name,
              let windows = fields[1].all(DayWindow.init) else { return nil }
        self.init(kind: kind, windows: windows)
    }
}

extension Schedule {
    fileprivate init?(fields: [CBOR]) {
        guard fields.count == 4, let name = fields[0].name, let days = fields[1].array, days.count == Weekday.allCases.count,
              let week = fields[1].all({ $0.all(DayWindow.init) }), let holidays = fields[2].all(HolidayWindows.init),
              let oneOffs = fields[3].all(OneOff.init), holidays.count <= Self.mostHolidays, oneOffs.count <= Self.mostOneOffs,
              (week + holidays.map(\.windows)).allSatisfy({ $0.count <= Self.mostWindows }) else { return nil }
        self.init(name: name, week: Dictionary(uniqueKeysWithValues: zip(Weekday.allCases, week)), holidays: holidays,
                  oneOffs: oneOffs)
    }
}

extension LanePlanEntry {
    fileprivate init?(_ item: CBOR) {
        guard let fields = item.array, fields.count == 4, let schedule = fields[0].optional(\.name),
              let mode = fields[1].integer.flatMap(LaneMode.init(number:)),
              let direction = fields[2].optional({ $0.integer.flatMap { Direction(number: $0) } }),
              let priority = fields[3].integer, Self.priorities.contains(priority) else { return nil }
        self.init(schedule: schedule, mode: mode, direction: direction, priority: priority)
    }
}

extension ZoneRule {
    fileprivate init?(fields: [CBOR]) {
        guard fields.count == 5, let zone = fields[0].name, let passback = PassbackMode(fields[1]),
              let reset = fields[2].optional(\.integer), let exempt = fields[3].names,
              let capacity = fields[4].optional(\.integer) else { return nil }
        guard reset.map({ (0..<DayWindow.minutesOfDay).contains($0) }) ?? true,
              capacity.map({ Self.capacities.contains($0) }) ?? true else { return nil }
        self.init(zone: zone, passback: passback, resetMinute: reset, exemptGroups: exempt, capacity: capacity)
    }
}

extension PassbackMode {
    fileprivate init?(_ item: CBOR) {
        switch (item.integer, item.all(\.integer)) {
        case (0, _): self = .off
        case (1, _): self = .soft
        case (2, _): self = .hard
        case (_, let timed?):
            guard timed.count == 2, timed[0] == 3, Self.minutes.contains(timed[1]) else { return nil }
            self = .timed(minutes: timed[1])
        case (_, nil): return nil
        }
    }
}

extension CBOR {
    fileprivate var name: String? {
        guard let text, (1...SiteRecord.longestText).contains(text.utf8.count), text.isComposed else { return nil }
        return text
    }

    fileprivate var names: [String]? { all(\.name) }

    /// The items of an array, all of which must be readable.
    fileprivate func all<Value>(_ read: (CBOR) -> Value?) -> [Value]? {
        guard let array else { return nil }
        var values: [Value] = []
        for item in array {
            guard let value = read(item) else { return nil }
            values.append(value)
        }
        return values
    }

    /// Null, or a value that must be readable; the outer nil says that it is not.
    fileprivate func optional<Value>(_ read: (CBOR) -> Value?) -> Value?? {
        if isNull { return .some(nil) }
        return read(self).map { .some($0) }
    }
}
