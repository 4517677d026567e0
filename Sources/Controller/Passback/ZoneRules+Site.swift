import Credentials
import Gate
import SiteRules

extension ZoneRules {
    /// What the site data in use say of zones.
    init(_ hours: SiteHours) {
        let rule = { @Sendable (zone: String) in hours.current.timetable.rules.rule(of: zone) }
        self.init(
            zones: { hours.current.timetable.rules.zones.map(\.zone) },
            policy: { rule($0).map { ZonePolicy($0) } ?? .none },
            exemptGroups: { rule($0)?.exemptGroups ?? [] },
            lastReset: { zone, clock in hours.current.timetable.lastReset(ofZone: zone, at: SiteMoment(clock)).map { $0 * 1000 } })
    }
}

extension SiteRules {
    fileprivate func rule(of zone: String) -> ZoneRule? { zones.first { $0.zone == zone } }
}

extension ZonePolicy {
    /// What the site has decided about a zone.
    fileprivate init(_ rule: ZoneRule) {
        let mode: Gate.PassbackMode = switch rule.passback {
        case .off: .off
        case .soft: .soft
        case .hard: .hard
        case .timed(let minutes): .timed(milliseconds: minutes * 60_000)
        }
        self.init(mode: mode, capacity: rule.capacity.map { Int(clamping: $0) })
    }
}
