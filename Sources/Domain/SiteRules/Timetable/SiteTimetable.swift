import Encoding

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
