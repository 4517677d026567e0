import Credentials
import SeededNumbers
import Testing
import Vocabulary

@testable import Gate

/// Anti-passback beside an oracle that reads the whole history for each answer, over random histories with restarts.
@Suite("Anti-passback beside its oracle") struct PassbackModelTests {
    static let people = ["ada", "ben", "eva", "kim"].map { PersonDigest(subject: $0) }
    static let lanes: [(name: String, zone: String?, outer: String?)] = [
        ("main", "hall", nil), ("side", "hall", nil), ("inner", "lab", "hall"), ("store", "store", nil), ("plain", nil, nil)
    ]

    static func policy(_ random: inout SeededNumbers) -> ZonePolicy {
        let modes: [PassbackMode] = [.off, .soft, .hard, .hard, .timed(milliseconds: 20)]
        return ZonePolicy(mode: modes[random.below(modes.count)], capacity: random.below(3) == 0 ? 1 + random.below(3) : nil)
    }

    /// What the journal keeps: it knows nothing of the rules.
    struct Written {
        var present: [String: [PersonDigest: Int64]] = [:]
        var doubtful: [String: Set<PersonDigest>] = [:]

        mutating func apply(_ changes: [PassbackChange]) {
            for change in changes {
                switch change {
                case .entered(let person, let zone, let since):
                    present[zone, default: [:]][person] = since
                    doubtful[zone]?.remove(person)
                case .left(let person, let zone): present[zone]?[person] = nil
                case .emptied(let zone, let time): present[zone] = present[zone]?.filter { $0.value >= time }
                case .doubted(let zone): doubtful[zone] = Set((present[zone] ?? [:]).keys)
                }
            }
        }

        var changes: [PassbackChange] {
            present.flatMap { zone, people -> [PassbackChange] in
                let unsure = people.filter { doubtful[zone]?.contains($0.key) == true }, sure = people.filter { doubtful[zone]?.contains($0.key) != true }
                return unsure.map { .entered($0.key, zone: zone, at: $0.value) } + [.doubted(zone: zone)]
                    + sure.map { .entered($0.key, zone: zone, at: $0.value) }
            }
        }
    }

    private func latest(in zone: String, _ oracle: PassbackOracle, _ now: Int64) -> Int64 {
        Self.people.compactMap { oracle.place(of: $0, in: zone)?.written }.reduce(now) { max($0, $1 + 1) }
    }

    @Test(arguments: 1...60) func theyAgree(seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        let policies = ["hall": Self.policy(&random), "lab": Self.policy(&random), "store": Self.policy(&random)]
        var oracle = PassbackOracle(policies: policies)
        var passback = Passback()
        var written = Written()
        var now: Int64 = 1000
        var granted: [PassbackOracle.Grant] = []
        for step in 1...150 {
            now += Int64(random.below(12)) - (random.below(20) == 0 ? 15 : 0)
            let place = "seed \(seed), step \(step)"
            let person = Self.people[random.below(Self.people.count)]
            let zone = ["hall", "lab", "store"][random.below(3)]
            switch random.below(20) {
            case 0..<10:
                let lane = Self.lanes[random.below(Self.lanes.count)]
                let isWayOut = random.below(3) == 0
                let crossing = Crossing(isWayOut ? .out : .in, zone: lane.zone, outer: lane.outer)
                let policy = crossing.to.flatMap { policies[$0] } ?? .none
                let isExempt = random.below(8) == 0
                if let zone = crossing.to, policy.isKept, !isWayOut, !oracle.isLeaving(person, zone) { oracle.history.append(.asked(person, zone: zone, at: now)) }
                let expected = oracle.judge(person, crossing, isWayOut: isWayOut, isExempt: isExempt, at: now, among: Self.people)
                let found = passback.admit(person, into: crossing.to, from: crossing.from, isWayOut: isWayOut, policy: policy, isExempt: isExempt,
                                           at: now)
                #expect(found.judgement == expected, "\(place)")
                guard found.judgement == expected else { return }
                if case .allowed = expected {
                    let leaves = oracle.leaves(person, by: crossing)
                    granted.append(PassbackOracle.Grant(person: person, crossing: crossing, leaves: leaves, ticket: found.ticket))
                    if policy.isKept || leaves != nil { oracle.history.append(.granted(person, crossing, leaves: leaves, ticket: found.ticket)) }
                }
            case 10..<16:
                guard !granted.isEmpty else { continue }
                let grant = granted.remove(at: random.below(granted.count))
                oracle.history.append(.ended(ticket: grant.ticket))
                if random.below(3) == 0 {
                    passback.withdraw(grant.ticket)
                } else {
                    let keeps = grant.crossing.to.flatMap { policies[$0] }?.isKept ?? false
                    let crossing = Crossing(from: grant.crossing.from, to: keeps ? grant.crossing.to : nil)
                    oracle.history.append(.passed(grant.person, crossing, at: now))
                    written.apply(passback.passed(grant.person, through: grant.crossing, ticket: grant.ticket, at: now) {
                        policies[$0]?.isKept ?? false
                    })
                }
            case 16:
                let isOperator = random.below(2) == 0
                oracle.history.append(.emptied(zone, before: isOperator ? latest(in: zone, oracle, now) : now))
                written.apply(isOperator ? passback.empty(zone, at: now) : passback.reset(zone, before: now, at: now))
            case 17:
                oracle.history.append(.doubted(zone))
                written.apply(passback.doubt(zone))
            case 18:
                let which = random.below(2) == 0 ? zone : nil
                oracle.history.append(.forgotten(person, zone: which))
                written.apply(passback.forget(person, in: which))
            default:
                oracle.history.append(.restarted)
                granted = []
                passback = Passback()
                passback.restore(written.changes)
            }
            for zone in policies.keys {
                let places = Self.people.compactMap { oracle.place(of: $0, in: zone) }
                #expect(passback.load(of: zone) == (places.filter(\.isSure).count, places.filter { !$0.isSure }.count), "\(place), \(zone)")
            }
            #expect(passback.pendingCount == oracle.pending.count, "\(place)")
        }
    }
}
