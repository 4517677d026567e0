import SiteData
import SiteRules

/// What the office's rules say that targets have not signed yet: gates judge by what is signed.
struct PendingRules {
    /// The groups of which rules say something that is not signed.
    private(set) var groups: Set<String> = []
    /// The groups to which the office's rules bind people.
    private(set) var boundHere: Set<String> = []
    /// The groups to which gates' rules do; nil: nobody can say, for what was signed cannot be read.
    private(set) var boundAtGates: Set<String>? = []

    /// Nothing waits for rules.
    init() {}

    /// - Parameter signed: the records that targets have signed; nil: they cannot be read, and everything is new.
    init(signed: [PublicationRecord]?, kept: [SiteRecord]) {
        let known = Set((signed ?? []).compactMap { record in if case .rule(let rule) = record { rule } else { nil } })
        let differing = known.symmetricDifference(kept).filter(\.bindsGroups)
        // Schedules and what they rest on may be anybody's.
        let isOfRulesAlone = differing.allSatisfy { if case .access = $0 { true } else { false } }
        groups = (isOfRulesAlone ? differing : known.union(kept)).reduce(into: []) { $0.formUnion($1.groups) }
        boundHere = Set(kept.compactMap(\.boundGroup))
        boundAtGates = signed.map { _ in Set(known.compactMap(\.boundGroup)) }
    }

    /// Whether nobody is in such a group without being bound.
    func bindsAtGates(_ group: String) -> Bool { boundAtGates?.contains(group) ?? false }
    /// Whether somebody may be bound for being in such a group.
    func mayBindAtGates(_ group: String) -> Bool { boundAtGates?.contains(group) ?? true }
}

extension SiteRecord {
    /// Whether it has a say in who passes where and when.
    fileprivate var bindsGroups: Bool {
        switch self {
        case .timeZone, .holidays, .schedule, .access, .zone: true
        case .lanePlan, .membership: false
        }
    }

    /// The groups that it names.
    fileprivate var groups: Set<String> {
        switch self {
        case .access(let rule): [rule.group]
        case .zone(let zone): Set(zone.exemptGroups)
        case .timeZone, .holidays, .schedule, .lanePlan, .membership: []
        }
    }

    /// The group of which nobody passes but by rules.
    fileprivate var boundGroup: String? {
        if case .access(let rule) = self { rule.group } else { nil }
    }
}
