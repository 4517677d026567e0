extension SiteRecord {
    /// The first of its names, in the order of its fields, of which this is so.
    public func firstName(where isSo: (String) -> Bool) -> String? {
        switch self {
        case .membership(let membership): isSo(membership.group) ? membership.group : isSo(membership.subject) ? membership.subject : nil
        case .timeZone(let name): isSo(name.text) ? name.text : nil
        case .holidays(let calendar): isSo(calendar.kind) ? calendar.kind : nil
        case .schedule(let schedule): ([schedule.name] + schedule.holidays.map(\.kind)).first(where: isSo)
        case .lanePlan(let plan): ([plan.lane] + plan.entries.compactMap(\.schedule)).first(where: isSo)
        case .access(let rule): ([rule.group] + rule.lanes + [rule.schedule].compactMap { $0 }).first(where: isSo)
        case .zone(let zone): ([zone.zone] + zone.exemptGroups).first(where: isSo)
        }
    }
}
