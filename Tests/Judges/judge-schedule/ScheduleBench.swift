import Encoding
import SiteRules

/// The zone and the rules that questions are about.
struct ScheduleBench {
    private var zone = TimeZoneData.utc
    private var timetable = SiteTimetable(SiteRules(), timeZone: nil)

    mutating func answer(_ words: [String]) -> String {
        guard let question = words.first else { return "no-question" }
        let rest = Array(words.dropFirst())
        switch question {
        case "zone": return load { bench in bench.zone = try TimeZoneData(tzif: try Hex.decode(rest[0])) }
        case "rules": return load { bench in try bench.adopt(try Hex.decode(rest[0])) }
        case "offset": return numbers(rest) { zone.offset(at: $0) }
        case "instant": return numbers(rest) { zone.instant(ofClock: $0) }
        case "latest": return numbers(rest) { zone.latestClock(by: $0) }
        case "zone-changes": return list(rest) { zone.transition(after: $0)?.at }
        case "force": return numbers(Array(rest.dropFirst())) { timetable.isInForce(rest[0], at: .known($0), for: .grants) == true ? 1 : 0 }
        case "changes": return list(Array(rest.dropFirst())) { timetable.nextChange(ofSchedule: rest[0], after: $0) }
        case "lane": return numbers(Array(rest.dropFirst())) { timetable.plan(ofLane: rest[0], at: .known($0))?.mode.number ?? -1 }
        case "lane-changes": return list(Array(rest.dropFirst())) { timetable.nextChange(ofLane: rest[0], after: $0) }
        default: return "unknown-question"
        }
    }

    private mutating func adopt(_ body: [UInt8]) throws {
        let rules = try SiteRules(try CBOR.decodeSequence(body).map { try SiteRecord(cbor: $0) })
        timetable = SiteTimetable(rules, timeZone: zone)
    }

    private mutating func load(_ change: (inout ScheduleBench) throws -> Void) -> String {
        do {
            try change(&self)
            return "ok"
        } catch {
            return "\(error)"
        }
    }

    private func numbers(_ times: [String], _ answer: (Int64) -> Int64) -> String {
        times.map { Int64($0).map { String(answer($0)) } ?? "no-number" }.joined(separator: " ")
    }

    /// All that `next` says between two times.
    private func list(_ bounds: [String], _ next: (Int64) -> Int64?) -> String {
        guard bounds.count == 2, var time = Int64(bounds[0]), let end = Int64(bounds[1]) else { return "no-number" }
        var found: [String] = []
        while let change = next(time), change <= end, change > time {
            found.append(String(change))
            time = change
        }
        return found.joined(separator: " ")
    }
}
