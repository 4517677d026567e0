/// What a site has decided about time and places, all of it except who belongs to which group.
///
/// Values only; what they come to at a time is asked of `SiteTimetable`.
public struct SiteRules: Hashable, Sendable {
    /// The time zone of all schedules. Without one no schedule can be judged.
    public private(set) var timeZone: TimeZoneName?
    /// The kinds of holidays.
    public private(set) var holidays: [HolidayCalendar] = []
    /// The schedules.
    public private(set) var schedules: [Schedule] = []
    /// The plans of lanes.
    public private(set) var plans: [LanePlan] = []
    /// Who may pass where and when.
    public private(set) var rules: [AccessRule] = []
    /// The zones.
    public private(set) var zones: [ZoneRule] = []
    /// What has been said once and may not be said again.
    private var reserved: Set<Taken> = []

    private struct Taken: Hashable {
        let what: String
        let name: String
    }

    /// A site that has decided nothing.
    public init() {}

    /// The rules that records make together.
    public init(_ records: [SiteRecord]) throws(SiteRulesError) {
        for record in records { try append(record) }
    }

    /// Whether nothing is decided.
    public var isEmpty: Bool { self == SiteRules() }

    /// Adds a record. A membership is none of these rules and changes nothing.
    /// - Throws: `SiteRulesError` where there is one of that name already.
    public mutating func append(_ record: SiteRecord) throws(SiteRulesError) {
        switch record {
        case .timeZone(let name):
            guard timeZone == nil else { throw .duplicate(what: "time zone", name: name.text) }
            timeZone = name
        case .holidays(let calendar):
            try reserve("kind of holiday", calendar.kind)
            holidays.append(calendar)
        case .schedule(let schedule):
            try reserve("schedule", schedule.name)
            schedules.append(schedule)
        case .lanePlan(let plan):
            try reserve("plan for the lane", plan.lane)
            plans.append(plan)
        case .access(let rule):
            rules.append(rule)
        case .zone(let zone):
            try reserve("zone", zone.zone)
            zones.append(zone)
        case .membership:
            break
        }
    }

    /// The records that make these rules, in an order that depends on them alone.
    public var records: [SiteRecord] {
        let zoneName: [SiteRecord] = timeZone.map { [.timeZone($0)] } ?? []
        return zoneName + holidays.map(SiteRecord.holidays) + schedules.map(SiteRecord.schedule)
            + plans.map(SiteRecord.lanePlan) + rules.map(SiteRecord.access) + zones.map(SiteRecord.zone)
    }

    private mutating func reserve(_ what: String, _ name: String) throws(SiteRulesError) {
        guard reserved.insert(Taken(what: what, name: name)).inserted else { throw .duplicate(what: what, name: name) }
    }
}

extension SiteRules {
    /// Whether anything here depends on who belongs to which group: a rule, or an exemption in a zone.
    public var needGroups: Bool { !rules.isEmpty || zones.contains { !$0.exemptGroups.isEmpty } }
}

/// Why records are no rules of a site together.
public enum SiteRulesError: Error, Hashable, Sendable {
    /// Two records for one thing.
    case duplicate(what: String, name: String)

    /// A stable code.
    public var code: String { "duplicate-rule" }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .duplicate(let what, let name): "there is a second \(what) '\(name)': keep one of them."
        }
    }
}
