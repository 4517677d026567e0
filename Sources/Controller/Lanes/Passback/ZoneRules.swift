import Credentials
import Gate
import Site
import SiteRules
import Vocabulary

/// What the site has decided about its zones, as far as the gate knows it at this moment.
package struct ZoneRules: Sendable {
    /// The zones that have rules.
    let zones: @Sendable () -> [String]
    /// The policy of a zone; `.none` for one without rules.
    let policy: @Sendable (String) -> ZonePolicy
    /// The groups that anti-passback does not bind in a zone.
    let exemptGroups: @Sendable (String) -> [String]
    /// When everybody in the zone last counted as gone, in UNIX milliseconds; nil where they never do, or where nobody vouches for
    /// the time: a reset lets people in, so that an untrusted clock makes none.
    let lastReset: @Sendable (String, ClockReading) -> Int64?

    package init(zones: @escaping @Sendable () -> [String], policy: @escaping @Sendable (String) -> ZonePolicy,
                 exemptGroups: @escaping @Sendable (String) -> [String],
                 lastReset: @escaping @Sendable (String, ClockReading) -> Int64?) {
        self.zones = zones
        self.policy = policy
        self.exemptGroups = exemptGroups
        self.lastReset = lastReset
    }

    /// Whether anti-passback does not bind somebody in these groups in a zone.
    func isExempt(_ groups: [String], in zone: String) -> Bool {
        let exempt = exemptGroups(zone)
        return !exempt.isEmpty && groups.contains(where: exempt.contains)
    }

    /// No zone has rules.
    static let none = ZoneRules(zones: { [] }, policy: { _ in .none }, exemptGroups: { _ in [] }, lastReset: { _, _ in nil })
}

extension ZoneRules {
    /// What the site data in use say of zones.
    package init(_ hours: SiteHours) {
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
        self.init(mode: rule.passback, capacity: rule.capacity.map { Int(clamping: $0) })
    }
}
