import Credentials
import Gate
import Vocabulary

/// Random numbers that come again with the same seed (SplitMix64), and what a lane may meet.
struct Dice {
    private var state: UInt64
    /// Whether nothing overrides the lane in this life.
    private let isCalm: Bool

    init(seed: UInt64) {
        state = seed
        isCalm = seed % 2 == 0
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    // Rules ----------------------------------------------------------------------------------------

    mutating func rules() -> LaneRules {
        var rules = LaneRules(pulse: one(of: [50, 500, 3000]), cooldownAfterSuccess: one(of: [0, 700, 2000]),
                              cooldownAfterFailure: one(of: [0, 500]), display: one(of: [0, 1000]))
        rules.hasRelayOut = chance(60)
        rules.inputs = one(of: [[], [.passageIn], [.passageIn, .passageOut], [.passageIn, .passageOut]])
        if chance(40) { rules.inputs.insert(.modeSwitch) }
        return vary(rules)
    }

    /// The same wiring under other rules, as after a reload.
    mutating func vary(_ rules: LaneRules) -> LaneRules {
        var rules = rules
        rules.pulse = one(of: [50, 500, 3000])
        rules.pulseOut = one(of: [50, 500, 800])
        rules.hold = chance(40) ? .untilPassage : .pulse
        rules.holdOut = chance(40) ? .untilPassage : .pulse
        rules.passageWait = one(of: [1000, 5000])
        rules.heldAfter = one(of: [1000, 10_000])
        rules.alarmTime = one(of: [0, 2000, 10_000])
        rules.onFire = one(of: [.release(.in), .release(.out), .release(.out), .stay])
        rules.releasesOnFireFault = chance(70)
        rules.requestToExitWhenLocked = chance(50)
        rules.freePassage = one(of: Direction.allCases)
        rules.switchMode = one(of: [.lockedDown, .freePassage, .closed, .heldOpen])
        rules.backgroundCooldown = one(of: [0, 20_000])
        return rules
    }

    // Steps ----------------------------------------------------------------------------------------

    mutating func delay() -> Int64 {
        switch below(10) {
        case 0...2: 0
        case 3...5: Int64(below(60))
        case 6: one(of: [499, 500, 501])
        case 7: one(of: [999, 1000, 1001, 1999, 2000, 2001])
        case 8: Int64(below(3000))
        default: Int64(below(12_000))
        }
    }

    private mutating func rest() -> LaneStep.Rest { one(of: [.none, .foreground, .background]) }

    mutating func step(_ rules: LaneRules, after last: LaneStep.Event?) -> LaneStep {
        // Between the decision and the relay lies a moment; and mostly nothing else.
        if case .reserve? = last, chance(70) {
            return LaneStep(delay: Int64(below(5)), isLate: false, event: .open(rest(), drives: chance(93)))
        }
        // Whoever tries a lane energises its relays.
        switch last {
        case .beginTest?, .testRelay?, .deenergiseTestedRelay?:
            if chance(60) {
                let pulse = one(of: [20, 500, 1000, 5000])
                return LaneStep(delay: Int64(below(300)), isLate: false,
                                event: chance(80) ? .testRelay(one(of: Direction.allCases), milliseconds: Int64(pulse)) : .deenergiseTestedRelay)
            }
        default: break
        }
        return LaneStep(delay: delay(), isLate: chance(10), event: event(rules))
    }

    /// In half of all lives nothing overrides the lane, so that taps, pauses and passages meet each other more often.
    private mutating func event(_ rules: LaneRules) -> LaneStep.Event {
        return switch below(isCalm ? 63 : 102) {
        case 0..<22: .reserve(one(of: Direction.allCases), one(of: Carrier.allCases), credential: UInt8(below(4)))
        case 22..<26: .open(rest(), drives: chance(80))
        case 26..<29: .giveBack
        case 29..<31: one(of: [.abandon, .abandon, .openVoided, .giveBackVoided])
        case 31..<37: .deny(one(of: Carrier.allCases), countsAsFailure: chance(60), isWait: chance(30))
        case 37..<57: passage(rules)
        case 57..<64: .input(.requestToExit, one(of: [.active, .active, .inactive]), isFound: chance(10))
        case 64..<68: .input(.fire, one(of: [.inactive, .inactive, .inactive, .active, .faulty(.cut), .faulty(.unseen)]), isFound: chance(10))
        case 68..<70: .input(.modeSwitch, one(of: [.active, .inactive, .inactive, .faulty(.unseen)]), isFound: chance(10))
        case 70..<73: .input(one(of: [.tamper, .readerTamper, .powerFail]), one(of: [.active, .inactive, .inactive]), isFound: chance(10))
        case 73..<77: .schedule(chance(50) ? nil : modeRequest())
        case 77..<78: .command(one(of: [nil, .normal, .lockDown(delay() + 1), .holdOpen(delay() + 1), .holdOpen(delay() + 1)]), one(of: Carrier.allCases))
        case 78..<81: .operate(chance(50) ? nil : modeRequest(), lasts: chance(50) ? nil : delay() + 1)
        case 81..<84: .release(one(of: [nil, .in, .out]))
        case 84..<87: .arm(chance(60))
        case 87..<91: .faults(Set(LaneFault.allCases.filter { _ in chance(8) }))
        case 91..<92: chance(50) ? .degraded(chance(50)) : .stuckOn(chance(50))
        case 92..<96: .read(chance(50))
        case 96..<97: .adopt(vary(rules))
        case 97..<99: test()
        case 99..<101: .command(.holdOpen(delay() + 1), one(of: Carrier.allCases))
        default: .nothing
        }
    }

    private mutating func test() -> LaneStep.Event {
        chance(80) ? .beginTest : .endTest
    }

    private mutating func passage(_ rules: LaneRules) -> LaneStep.Event {
        let wired = rules.inputs.intersection([.passageIn, .passageOut]).sorted { $0.rawValue < $1.rawValue }
        guard !wired.isEmpty else { return .nothing }
        return .input(one(of: wired), one(of: [.active, .active, .active, .inactive, .inactive, .inactive, .faulty(.unseen)]), isFound: chance(5))
    }

    private mutating func modeRequest() -> ModeRequest {
        ModeRequest(one(of: LaneMode.allCases), direction: one(of: [nil, .in, .out]))
    }
}
