import Encoding
import Vocabulary

/// What a site's rules come to at a time: its schedules by the clock of its zone.
///
/// Schedules follow the latest time that the site's clock has shown (`TimeZoneData.latestClock`). That is what the clock shows,
/// except in the night in which it is put back: then schedules wait, as if its last minute before that lasted, until the clock
/// shows something new. So no window comes twice.
///
/// Where nobody vouches for the time, or the zone's data are missing, a schedule that lets somebody in counts as not in
/// force, one that asks for more as in force, and of a lane's modes the strictest counts.
public struct SiteTimetable: Sendable {
    /// The rules.
    public let rules: SiteRules
    /// The data of the site's zone; nil where they are missing.
    public let timeZone: TimeZoneData?
    let local: [String: LocalSchedule]
    private let plans: [String: LanePlan]
    private let boundGroups: Set<String>

    /// A timetable.
    public init(_ rules: SiteRules, timeZone: TimeZoneData?) {
        self.rules = rules
        self.timeZone = timeZone
        local = Dictionary(rules.schedules.map { ($0.name, LocalSchedule($0, calendars: rules.holidays)) }) { first, _ in first }
        plans = Dictionary(rules.plans.map { ($0.lane, $0) }) { first, _ in first }
        boundGroups = Set(rules.rules.map(\.group))
    }

    /// Whether the rules name a schedule.
    public func has(schedule: String) -> Bool { local[schedule] != nil }

    /// Whether a schedule is in force; nil for one that the site does not have.
    public func isInForce(_ schedule: String, at moment: SiteMoment, for use: ScheduleUse) -> Bool? {
        guard let found = local[schedule] else { return nil }
        return minute(at: moment).map { found.isInForce(at: $0) } ?? (use == .restricts)
    }

    /// What the plan of a lane makes of it; nil for a lane without a plan.
    public func plan(ofLane lane: String, at moment: SiteMoment) -> LanePlanState? {
        plans[lane].map { state(of: $0, at: minute(at: moment)) }
    }

    /// Whether somebody in these groups may pass a lane, as far as rules speak of it.
    public func judge(groups: [String], lane: String, at moment: SiteMoment) -> AccessVerdict {
        guard groups.count <= Membership.mostOfOne else { return .tooManyGroups }
        guard groups.contains(where: boundGroups.contains) else { return .free }
        // Worked out at the first rule that asks for it: most who pass do so by rules without a schedule.
        lazy var minute = minute(at: moment)
        let rule = rules.rules.first { rule in
            guard groups.contains(rule.group), rule.covers(lane: lane) else { return false }
            guard let schedule = rule.schedule else { return true }
            return isInForce(schedule, at: minute) ?? false
        }
        return rule.map { .allowed(group: $0.group) } ?? .outsideSchedule
    }

    /// The minute that counts for schedules.
    private func minute(at moment: SiteMoment) -> Int64? {
        switch moment {
        case .known(let time): timeZone.map { $0.latestClock(by: time).quotientFloor(60) }
        case .unknown: nil
        }
    }

    /// Nil where nobody can say.
    private func isInForce(_ schedule: String, at minute: Int64?) -> Bool? {
        guard let minute, let found = local[schedule] else { return nil }
        return found.isInForce(at: minute)
    }

    private func state(of plan: LanePlan, at minute: Int64?) -> LanePlanState {
        let judged = plan.entries.filter { $0.schedule != nil }.map { ($0, $0.schedule.flatMap { isInForce($0, at: minute) }) }
        let certain = judged.filter { $0.1 == true }.map(\.0)
        let highest = certain.map(\.priority).max()
        // Whatever is as high as what is certain may be in force instead.
        let possible = judged.filter { $0.1 == nil && $0.0.priority >= highest ?? 0 }.map(\.0)
        var candidates = possible + certain.filter { $0.priority == highest }
        if certain.isEmpty {
            candidates += plan.entries.filter { $0.schedule == nil }
            if !plan.entries.contains(where: { $0.schedule == nil }) { candidates.append(LanePlanEntry(schedule: nil, mode: .normal)) }
        }
        guard let strictest = candidates.max(by: { $0.mode.strictness < $1.mode.strictness }) else { return .normal }
        return LanePlanState(mode: strictest.mode, direction: strictest.direction, schedule: strictest.schedule, isGuess: !possible.isEmpty)
    }
}

extension SiteTimetable {
    /// The UNIX second at which everybody in a zone last counted as gone, by the site's clock: the latest such time of day that has
    /// come. Nil for a zone without a reset, and where nobody vouches for the time or the zone's data are missing: a reset lets
    /// people in.
    public func lastReset(ofZone name: String, at moment: SiteMoment) -> Int64? {
        guard case .known(let time) = moment, let timeZone,
              let minute = rules.zones.first(where: { $0.zone == name })?.resetMinute else { return nil }
        let today = timeZone.latestClock(by: time).quotientFloor(Self.day) * Self.day + minute * 60
        let reset = timeZone.instant(ofClock: today)
        return reset <= time ? reset : timeZone.instant(ofClock: today - Self.day)
    }

    private static let day: Int64 = 86_400
}

extension SiteTimetable {
    /// Days after which no change is looked for any more: nine years, in which 29 February comes at least once.
    public static let horizon: Int64 = 3300

    /// The first UNIX second after another at which a schedule begins or ends to be in force; nil when it does not within
    /// the horizon, when the site does not have it, or without the zone's data.
    public func nextChange(ofSchedule name: String, after time: Int64) -> Int64? {
        guard let timeZone, let schedule = local[name] else { return nil }
        return Self.nextChange(of: schedule, in: timeZone, after: time)
    }

    /// The first UNIX second after another at which the state of a lane's plan changes.
    public func nextChange(ofLane lane: String, after time: Int64) -> Int64? {
        guard let before = plan(ofLane: lane, at: .known(time)) else { return nil }
        let names = Set(rules.plans.first { $0.lane == lane }?.entries.compactMap(\.schedule) ?? [])
        var coming = Dictionary(uniqueKeysWithValues: names.map { ($0, nextChange(ofSchedule: $0, after: time)) })
        let end = time.addingReportingOverflow(Self.horizon * 86_400)
        while let next = coming.values.compactMap(\.self).min(), !end.overflow, next <= end.partialValue {
            if plan(ofLane: lane, at: .known(next)) != before { return next }
            for (name, change) in coming where change == next { coming[name] = nextChange(ofSchedule: name, after: next) }
        }
        return nil
    }

    /// The first UNIX second after another at which any schedule changes.
    public func nextChange(after time: Int64) -> Int64? {
        rules.schedules.compactMap { nextChange(ofSchedule: $0.name, after: time) }.min()
    }

    /// What counts is a function of the minutes that the clock has reached, and these never go back. So something changes at
    /// the instant of a boundary or not at all; a boundary that the clock leaves out comes with the first minute after it.
    private static func nextChange(of schedule: LocalSchedule, in timeZone: TimeZoneData, after time: Int64) -> Int64? {
        let now = timeZone.latestClock(by: time).quotientFloor(60)
        let before = schedule.isInForce(at: now)
        let today = now.quotientFloor(DayWindow.minutesOfDay)
        for day in today...(today + horizon) {
            // What is said at a boundary that the clock leaves out is said by the last of those it leaves out with it.
            for boundary in schedule.boundaries(onDay: day) where boundary > now && schedule.isInForce(at: boundary) != before {
                let instant = timeZone.instant(ofClock: boundary * 60)
                let minute = timeZone.latestClock(by: instant).quotientFloor(60)
                if schedule.isInForce(at: minute) != before { return instant }
            }
        }
        return nil
    }
}

/// What it means to somebody that a schedule is in force: what to believe where nobody can say whether it is.
public enum ScheduleUse: Sendable {
    /// It lets somebody in. Unknown counts as not in force.
    case grants
    /// It asks for more or lets in fewer. Unknown counts as in force.
    case restricts
}

/// When a question about rules is asked.
public enum SiteMoment: Hashable, Sendable {
    /// At a UNIX second that is to be believed.
    case known(Int64)
    /// Nobody vouches for the time.
    case unknown

    /// A time that nobody vouches for is no time that schedules can be judged at.
    public init(_ clock: ClockReading) {
        switch clock.trust {
        case .synchronised, .holdover: self = .known(clock.seconds)
        case .untrusted: self = .unknown
        }
    }
}
