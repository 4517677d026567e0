import Configuration
import SiteRules
import Spelling
import Vocabulary

/// Places: rules, plans of lanes, zones.
extension SiteReading {
    mutating func rules() -> [SiteRecord] {
        tables("rule").compactMap { table -> SiteRecord? in
            if let group = table.text("group") { check(group, isNamedIn: "group", at: table.position(of: "group"), for: table.path) }
            let lanes = distinct("lanes", in: table)
            for (lane, position) in lanes { checkLane(lane, at: position, for: "\(table.path).lanes") }
            let schedule = schedule(of: table)
            return table.text("group").map { .access(AccessRule(group: $0, lanes: lanes.map(\.text), schedule: schedule)) }
        }
    }

    mutating func plans() -> [SiteRecord] {
        tables("lane").compactMap { table -> SiteRecord? in
            if let name = table.text("name") { checkLane(name, at: table.position(of: "name"), for: table.path) }
            let entries = (table.lists["plan"] ?? []).compactMap { plan in entry(plan).map { Placed(value: $0, position: plan.position) } }
            guard let name = table.text("name") else { return nil }
            for (position, entry) in entries.enumerated() { origins[.planEntry(lane: name, position: position)] = entry.position }
            return .lanePlan(LanePlan(lane: name, entries: entries.map(\.value)))
        }
    }

    private mutating func entry(_ table: TableReading) -> LanePlanEntry? {
        let schedule = schedule(of: table)
        let direction = table.choice("direction", Direction.self)
        guard let mode = table.choice("mode", LaneMode.self) else { return nil }
        switch mode {
        case .freePassage, .heldOpen: break
        case .normal, .closed, .lockedDown:
            if direction != nil {
                issues.error("direction-unused", at: table.position(of: "direction"),
                             "\(table.path).direction: a lane that is \(mode.rawValue) opens in no direction.")
            }
        }
        return LanePlanEntry(schedule: schedule, mode: mode, direction: direction,
                             priority: Int64(table.integer("priority") ?? 0))
    }

    mutating func zones() -> [SiteRecord] {
        tables("zone").compactMap { table -> SiteRecord? in
            if let name = table.text("name"), let zones = context.gate?.zones, !zones.contains(name) {
                issues.error("unknown-zone", at: table.position(of: "name"), "No lane of this gate leads into a zone \"\(name)\" (lane.zone).",
                             suggestion: NearestName.find(name, among: zones))
            }
            let passback = passback(of: table), reset = reset(of: table)
            let exempt = references("exempt", in: table, to: "group")
            guard let name = table.text("name"), let passback else { return nil }
            return .zone(ZoneRule(zone: name, passback: passback, resetMinute: reset, exemptGroups: exempt,
                                  capacity: table.integer("capacity").map(Int64.init)))
        }
    }

    private mutating func passback(of table: TableReading) -> PassbackMode? {
        let minutes = table.integer("minutes").map(Int64.init)
        guard let word = table.text("passback") else { return nil }
        if word == "timed", minutes == nil, !table.present.contains("minutes") {
            issues.error("minutes-needed", at: table.position(of: "passback"), "\(table.path).passback is \"timed\", which needs \(table.path).minutes.")
        }
        if word != "timed", table.present.contains("minutes") {
            issues.error("minutes-unused", at: table.position(of: "minutes"), "\(table.path).minutes counts only with passback = \"timed\".")
        }
        switch word {
        case "soft": return .soft
        case "hard": return .hard
        case "timed": return minutes.map { .timed(minutes: $0) }
        default: return .off
        }
    }

    private mutating func reset(of table: TableReading) -> Int64? {
        guard let text = table.text("reset") else { return nil }
        if let minute = ClockWords.minute(text), minute < DayWindow.minutesOfDay { return minute }
        issues.error("bad-window", at: table.position(of: "reset"), "\(table.path).reset is a time of day such as \"03:00\", not \"\(text)\".")
        return nil
    }
}
