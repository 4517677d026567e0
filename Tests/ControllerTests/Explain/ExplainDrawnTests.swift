import ControlProtocol
import Credentials
import Encoding
import Gate
import SeededNumbers
import SiteData
import SiteRules
import Testing

@testable import Controller

/// Sites, keys and modes drawn at random: whatever stands in somebody's way, the question and the tap name the same.
@Suite("Explaining and tapping agree") struct ExplainDrawnTests {
    private static func pick<Value>(_ values: [Value], _ random: inout SeededNumbers) -> Value { values[random.below(values.count)] }

    private static func records(_ key: EnrolledKey, _ random: inout SeededNumbers) throws -> [PublicationRecord] {
        var records: [PublicationRecord] = [.enrolled(key)]
        if random.below(5) == 0 { records.append(.revocation(pick([.subject("ada"), .suspended("ada"), .key(thumbprint: key.key.thumbprint)], &random))) }
        let schedule = pick(["always", "never", nil], &random), lanes = pick([[], ["main"], ["other"]], &random)
        var rules: [SiteRecord] = [.access(AccessRule(group: "day", lanes: lanes, schedule: schedule))]
        if random.below(2) == 0 { rules.append(.membership(Membership(group: "day", subject: "ada"))) }
        let exempt = pick([[], ["day"]], &random), capacity: Int64? = pick([nil, 1], &random)
        rules.append(.zone(pick([
            ZoneRule(zone: "hall", passback: .off, capacity: capacity), ZoneRule(zone: "hall", passback: .soft, capacity: capacity),
            ZoneRule(zone: "hall", passback: .hard, exemptGroups: exempt, capacity: capacity),
            ZoneRule(zone: "hall", passback: .timed(minutes: 5), exemptGroups: exempt)
        ], &random)))
        return try records + SiteRulesTapTests.records(rules)
    }

    @Test(arguments: 1...4) func whateverStandsInTheWay(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let wantsMore = random.below(2) == 0 ? "second-factor = \"always\"\n" : ""
        let gate = try ExplainSite(lane: ExplainSite.noCooldown + "zone = \"hall\"\n" + wantsMore)
        var seen: Set<String> = []
        for _ in 0..<40 {
            let key = gate.ada(audiences: Self.pick([[], [], ["tapstile:demo/hall"], ["tapstile:demo/attic"]], &random),
                               scope: Self.pick([["tokn"], ["tokn"], ["tokn", "hold"], ["hold"]], &random), from: Self.pick([nil, nil, -60, 600], &random),
                               to: Self.pick([nil, nil, 600, -1], &random), attested: random.below(3) > 0)
            try gate.publish(try Self.records(key, &random))
            let mode = Self.pick([LaneRequest.Mode.normal, .normal, .normal, .close, .lockDown, .free], &random)
            _ = try gate.controller.act(LaneRequest(lane: "main", action: .mode(mode, direction: nil, milliseconds: nil)), by: Requester(user: 1, process: 1))
            let said = try gate.agree(key, command: Self.pick([nil, nil, nil, "hold"], &random))
            seen.insert(said["reason"]?.string ?? "")
            if random.below(3) == 0 { _ = gate.controller.resetPassback(PassbackQuery(), by: Requester(user: 1, process: 1)) }
        }
        #expect(seen.count >= 5, "\(seen.sorted())")
    }
}
