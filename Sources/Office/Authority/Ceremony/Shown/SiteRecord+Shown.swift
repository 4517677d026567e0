import SiteRules

extension SiteRecord {
    /// All that a rule says, in lines of which each can be read alone; nil for a member of a group, who does not belong there.
    var shownLines: [String]? {
        switch self {
        case .timeZone(let zone): ["time zone \(ShownText.name(zone.text))"]
        case .holidays(let calendar): calendar.shownLines
        case .schedule(let schedule): schedule.shownLines
        case .lanePlan(let plan): plan.shownLines
        case .access(let rule): [rule.shownLine]
        case .zone(let zone): [zone.shownLine]
        case .membership: nil
        }
    }
}

extension HolidayCalendar {
    fileprivate var shownLines: [String] {
        let name = "holidays \(ShownText.name(kind))"
        return ["\(name): \(dates.count) \(dates.count == 1 ? "entry" : "entries")"] + dates.map { date in
            switch date {
            case .days(let first, let last): first == last ? "\(name): \(first)" : "\(name): \(first) to \(last)"
            case .yearly(let month, let day): "\(name): every year on \(ShownText.twoDigits(month))-\(ShownText.twoDigits(day))"
            }
        }
    }
}

extension Schedule {
    fileprivate var shownLines: [String] {
        let name = "schedule \(ShownText.name(name))"
        var alike: [(days: [Weekday], windows: [DayWindow])] = []
        for (day, windows) in zip(Weekday.allCases, week) {
            if let place = alike.firstIndex(where: { $0.windows == windows }) { alike[place].days.append(day) } else { alike.append(([day], windows)) }
        }
        let days = alike.map { "\(ShownText.days($0.days)) \(ShownText.windows($0.windows))" }.joined(separator: "; ")
        // Of two kinds on one day the first counts: the order says something.
        let others = holidays.enumerated().map { "\(name): on holidays \(ShownText.name($1.kind)) (no. \($0 + 1)) \(ShownText.windows($1.windows))" }
        let once = oneOffs.map { one in
            "\(name): once, from \(ShownText.minute(one.from)) to \(ShownText.minute(one.to)), \(one.opens ? "in force" : "NOT in force")\(Self.priority(one.priority))"
        }
        return ["\(name): \(days)"] + others + once
    }

    fileprivate static func priority(_ priority: Int64) -> String { priority == 0 ? "" : ", priority \(priority)" }
}

extension LanePlan {
    fileprivate var shownLines: [String] {
        let name = "plan of the lane \(ShownText.name(lane))"
        guard !entries.isEmpty else { return ["\(name): nothing"] }
        return entries.map { entry in
            let time = entry.schedule.map { "during the schedule \(ShownText.name($0))" } ?? "at all other times"
            let direction = entry.direction.map { $0 == .in ? " (in)" : " (out)" } ?? ""
            return "\(name): \(entry.mode.rawValue)\(direction) \(time)\(Schedule.priority(entry.priority))"
        }
    }
}

extension AccessRule {
    fileprivate var shownLine: String {
        let places = ShownText.names(lanes, one: "lane", several: "lanes", none: "every lane")
        return "group \(ShownText.name(group)) may pass \(places) \(schedule.map { "during the schedule \(ShownText.name($0))" } ?? "at ALL times")"
    }
}

extension ZoneRule {
    fileprivate var shownLine: String {
        let mode = switch passback {
        case .off: "no anti-passback"
        case .soft: "anti-passback soft"
        case .hard: "anti-passback hard"
        case .timed(let milliseconds): "anti-passback for \(milliseconds / 60_000) minutes"
        }
        let exempt = ShownText.names(exemptGroups, one: "group", several: "groups", none: "nobody")
        let reset = resetMinute.map { "at \(ShownText.clock($0))" } ?? "never"
        return "zone \(ShownText.name(zone)): \(mode); exempt: \(exempt); everybody counts as gone: \(reset); room for \(capacity.map { "\($0) people" } ?? "any number")"
    }
}
