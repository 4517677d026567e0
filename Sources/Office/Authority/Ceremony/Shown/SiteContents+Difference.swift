import Encoding
import SiteData
import SiteRules

extension SiteContents {
    /// Everything, in the order of keys.
    var lines: [String] { header + parts.flatMap(\.lines) }

    /// What this says and the other does not, marked with `+`, and the reverse, with `-`: each beside what stood in its place.
    func difference(from before: SiteContents) -> [String] {
        let new = Dictionary(parts.map { ($0.key, $0.lines) }) { first, _ in first }, old = Dictionary(before.parts.map { ($0.key, $0.lines) }) { first, _ in first }
        return Self.difference(header, before.header)
            + Set(new.keys).union(old.keys).sorted().flatMap { Self.difference(new[$0] ?? [], old[$0] ?? []) }
    }

    private static func difference(_ new: [String], _ old: [String]) -> [String] {
        // By bytes: for two spellings of an accent there are two names.
        let new = new.map(ExactText.init), old = old.map(ExactText.init)
        guard new != old else { return [] }
        let before = Set(old), after = Set(new)
        let come = new.filter { !before.contains($0) }, gone = old.filter { !after.contains($0) }
        // The same in another order, or more often: shown whole, for something has changed.
        let isHidden = come.isEmpty && gone.isEmpty
        return (isHidden ? new : come).map { "+ \($0.text)" } + (isHidden ? old : gone).map { "- \($0.text)" }
    }

    /// What reads otherwise than it works.
    func warnings(since before: SiteContents?) -> [String] {
        let schedules = Set(rules.schedules.map { ExactText($0.name) })
        let wanted = Set((rules.rules.compactMap(\.schedule) + rules.plans.flatMap { $0.entries.compactMap(\.schedule) } + schedulesOfIssuers).map(ExactText.init))
        let missing = wanted.subtracting(schedules).map { "! there is no schedule \(ShownText.name($0.text)), which rules, plans or issuers name" }
        let groups = Set(rules.rules.map { ExactText($0.group) })
        let free = Set(before?.rules.rules.map { ExactText($0.group) } ?? []).subtracting(groups).map {
            "! no rule speaks of the group \(ShownText.name($0.text)) any more: whoever is in no other group with a rule may pass at ALL times"
        }
        return missing.sorted() + free.sorted()
    }
}
