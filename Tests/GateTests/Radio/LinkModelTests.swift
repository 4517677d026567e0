import SeededNumbers
import Testing

@testable import Gate

/// The links of a radio under random phones, beside an account that is kept from the beginning for each answer.
@Suite("Links under random phones (T5, T6)") struct LinkModelTests {
    /// What happened to one link so far.
    private struct Account {
        let opened: Int64
        let rules: RadioRules
        var samples: [(strength: Int, time: Int64)] = []
        var waiting = 0
        var isAdmitted = false
        var isTold = false
        var isDropped = false
        var isOpen = true

        /// Which lanes it is near, read from the whole history.
        func near(at now: Int64) -> [String] {
            guard case .onTouch(let lanes) = rules.mode else { return LinkModelTests.lanes }
            return lanes.filter { isNear($0, at: now) }.map(\.lane)
        }

        private func isNear(_ rule: ProximityRule, at now: Int64) -> Bool {
            var near = false
            for end in samples.indices where end >= 2 && samples[end].time <= now {
                let isOver = samples[end].time >= opened + rule.window
                if isOver && !near { return false }
                let median = samples[(end - 2)...end].map(\.strength).sorted()[1]
                near = median >= (near ? rule.threshold - rule.hysteresis : rule.threshold)
                if isOver && !near { return false }
            }
            return near
        }
    }

    static let lanes = ["left", "right"]

    private static func rules(_ random: inout SeededNumbers) -> RadioRules {
        let lanes = lanes.map { ProximityRule(lane: $0, threshold: -65 + random.below(3) * 5, window: Int64(100 + random.below(3) * 150)) }
        let mode: RadioRules.Mode = random.below(5) == 0 ? .classic(lanes: Self.lanes) : .onTouch(lanes)
        return RadioRules(mode: mode, limit: 1 + random.below(4), conversation: random.below(2) == 0 ? 1000 : 6000)
    }

    @Test(arguments: 1...25) func theyKeepTheirWord(seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        let rules = Self.rules(&random)
        var register = LinkRegister(rules: rules)
        var accounts: [LinkIdentifier: Account] = [:]
        var newest: UInt64 = 0
        var now: Int64 = 0
        var admissions = 0
        for step in 1...2000 {
            now += Int64(random.below(random.below(200) == 0 ? 4000 : 15))
            // Most is said by those who came last, some by those who were told to go long ago.
            let open = accounts.filter(\.value.isOpen).keys.sorted().suffix(random.below(20) == 0 ? 60 : 5).map(\.self)
            let id = open.isEmpty ? LinkIdentifier(1) : open[random.below(open.count)]
            let time = Instant(milliseconds: now)
            let place: Comment = "seed \(seed), step \(step)"
            var actions: [LinkAction] = []
            switch open.isEmpty ? 0 : random.below(32) {
            case 0..<3:
                newest += 1
                accounts[LinkIdentifier(newest)] = Account(opened: now, rules: rules)
                actions = register.opened(LinkIdentifier(newest), at: time)
            case 3..<17:
                // Some are near, some waver, some are far.
                let distance = [-48, -62, -62, -80][Int(id.value % 4)]
                let strength = random.below(12) == 0 ? 127 : distance - 6 + random.below(13)
                accounts[id]?.samples.append((strength == 127 ? -1000 : strength, now))
                actions = register.strength(id, SignalStrength(reported: strength), at: time)
            case 17..<23:
                accounts[id]?.waiting += 1
                actions = register.wrote(id, at: time)
            case 30, 31: actions = register.read(id, at: time)
            case 23, 24:
                actions = register.concluded(id, at: time)
                if accounts[id]?.isAdmitted == true { accounts[id]?.isTold = true }
            case 25..<29:
                accounts[id]?.isOpen = false
                actions = register.closed(id, at: time)
                accounts = accounts.filter { $0.value.isOpen || $0.value.waiting > 0 }
            default: actions = register.advance(to: time)
            }
            for action in actions {
                switch action {
                case .admit(let id, let lanes):
                    #expect(accounts[id]?.isAdmitted == false && accounts[id]?.isDropped == false, place)
                    #expect(!lanes.isEmpty && lanes == accounts[id]?.near(at: now), place)
                    #expect(accounts[id]?.waiting == 1, place)
                    accounts[id]?.waiting = 0
                    accounts[id]?.isAdmitted = true
                    admissions += 1
                case .proceed(let id):
                    #expect(accounts[id]?.isAdmitted == true && accounts[id]?.isTold == false && accounts[id]?.waiting == 1, place)
                    accounts[id]?.waiting = 0
                case .refuse(let id, _):
                    #expect((accounts[id]?.waiting ?? 0) > 0, "\(place): nothing waits")
                    accounts[id]?.waiting = 0
                case .drop(let id, let refusal):
                    // One that was forgotten is told as if it were new.
                    #expect(accounts[id]?.isDropped != true || refusal == .unknown, "\(place): it was told to go already")
                    accounts[id]?.isDropped = true
                case .dropAgain(let id): #expect(accounts[id]?.isDropped == true, place)
                case .measure, .stopMeasuring: break
                }
            }
            let talking = accounts.values.count { $0.isOpen && $0.isAdmitted && !$0.isDropped }
            #expect(talking <= rules.limit, place)
            #expect(register.links.count <= rules.limit + LinkRegister.mostLeaving, place)
            #expect(register.nextChange.map { time < $0 } ?? true, "\(place): what is due was done")
            let waiting = accounts.filter { $0.value.waiting > 0 }.keys
            #expect(waiting.sorted() == register.sights.filter { $0.stage == .waiting }.map(\.link), "\(place): a message nobody answers")
            guard step % 500 == 0 else { continue }
            // Everybody falls silent: nothing waits, and every link was told to go.
            now += 10_000
            for action in register.advance(to: Instant(milliseconds: now)) {
                if case .drop(let id, _) = action { accounts[id]?.isDropped = true }
                if case .refuse(let id, _) = action { accounts[id]?.waiting = 0 }
            }
            #expect(accounts.values.allSatisfy { ($0.isDropped || !$0.isOpen) && $0.waiting == 0 }, place)
        }
        #expect(admissions > 5, "a run in which nobody comes near says nothing")
    }
}
