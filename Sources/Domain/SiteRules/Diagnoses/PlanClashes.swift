import Encoding

/// Finds the pairs of entries of a plan that want different modes at the same time with the same priority.
struct PlanClashes {
    /// Two entries that clash.
    struct Clash {
        let first: Int
        let second: Int
        /// A day on which they do; nil for two entries without a schedule.
        let day: CivilDate?
    }

    private struct Pair: Hashable {
        let first: Int
        let second: Int
    }

    private let entries: [LanePlanEntry]
    /// By the position of the entry; nil where it has no schedule, or one that is not there.
    private let schedules: [LocalSchedule?]
    private var reported: Set<Pair> = []
    private var found: [Clash] = []

    init(_ plan: LanePlan, rules: SiteRules) {
        entries = plan.entries
        schedules = plan.entries.map { entry in
            rules.schedules.first { $0.name == entry.schedule }.map { LocalSchedule($0, calendars: rules.holidays) }
        }
    }

    /// The clashes; each pair once.
    mutating func find() -> [Clash] {
        clash(among: entries.indices.filter { entries[$0].schedule == nil }, on: nil)
        guard entries.count > 1 else { return found }
        for days in PlainDays.of(schedules.compactMap(\.self)) {
            for day in days { look(at: day) }
        }
        return found
    }

    private mutating func look(at day: Int64) {
        var minutes: Set<Int64> = []
        for schedule in schedules { minutes.formUnion(schedule?.boundaries(onDay: day) ?? []) }
        for minute in minutes.sorted() {
            let standing = schedules.indices.filter { schedules[$0]?.isInForce(at: minute) ?? false }
            let highest = standing.map { entries[$0].priority }.max()
            clash(among: standing.filter { entries[$0].priority == highest }, on: day)
        }
    }

    private mutating func clash(among positions: [Int], on day: Int64?) {
        for (offset, second) in positions.enumerated() {
            let first = positions[..<offset].first { !entries[$0].agrees(with: entries[second]) }
            guard let first, reported.insert(Pair(first: first, second: second)).inserted else { continue }
            found.append(Clash(first: first, second: second, day: day.map { CivilDate(daysSince1970: $0) }))
        }
    }
}

extension LanePlanEntry {
    fileprivate func agrees(with other: LanePlanEntry) -> Bool { mode == other.mode && direction == other.direction }
}

/// The days that must be looked at to know all that schedules ever do.
enum PlainDays {
    /// The years 2000 to 2027: in 28 years every date falls on every weekday, leap days too.
    private static let years: ClosedRange<Int64> = 10_957...21_183

    /// Days since 1970: these years, and every day named by its date with the week after it.
    static func of(_ schedules: [LocalSchedule]) -> [ClosedRange<Int64>] {
        [years] + schedules.flatMap(\.explicitDays).filter { !years.contains($0.lowerBound) || !years.contains($0.upperBound + 8) }
            .map { $0.lowerBound - 1...$0.upperBound + 8 }
    }
}
