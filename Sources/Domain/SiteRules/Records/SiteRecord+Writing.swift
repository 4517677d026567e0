import Encoding

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
        [CBOR(schedule), CBOR(mode.rawValue), direction.map { CBOR($0.rawValue) } ?? .null, CBOR(priority)]
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
        case .timed(let minutes): [3, CBOR(minutes)]
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
