import Credentials
import Gate
import Testing
import Vocabulary

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

/// Who passes on whose grant (L5, V5).
@Suite("Passages (L5)") struct PassageTests {
    private func lane(_ inputs: Set<InputKind>) -> Lane {
        var rules = LaneRules()
        rules.inputs = inputs
        rules.hasRelayOut = inputs.contains(.passageOut)
        return Lane(rules: rules)
    }

    /// Two people tap one after the other and walk one after the other, as people in a queue do.
    private func passed(_ actions: [LaneAction]) -> [UInt64] {
        actions.compactMap { if case .passed(let grant, _) = $0 { grant.outcome } else { nil } }
    }

    private func grant(_ lane: inout Lane, _ outcome: UInt64, at time: Int64, _ direction: Direction = .in) -> Bool {
        lane.open(lane.reserve(direction, for: .nfc, at: at(time)), for: GrantIdentity(outcome: outcome), at: at(time)) != nil
    }

    @Test func peopleInAQueuePassInTheirOrder() {
        var lane = lane([.passageIn, .passageOut])
        #expect(grant(&lane, 1, at: 0))
        #expect(grant(&lane, 2, at: 2000))
        var actions: [LaneAction] = []
        let times: [Int64] = [2500, 3500]
        for time in times {
            actions += lane.input(InputChange(.passageIn, .active), at: at(time))
            actions += lane.input(InputChange(.passageIn, .inactive), at: at(time + 500))
        }
        #expect(passed(actions) == [1, 2])
        #expect(!actions.contains { if case .record(.alarm) = $0 { true } else { false } })
        #expect(lane.advance(to: at(20_000)).allSatisfy { if case .notPassed = $0 { false } else { true } })
    }

    /// A door tells only that it was open: a second person who slips in on a grant of their own has passed too.
    @Test func aDoorThatIsOpenLetsEverybodyThroughWhoWasLetIn() {
        var lane = lane([.passageIn])
        #expect(grant(&lane, 1, at: 0))
        _ = lane.input(InputChange(.passageIn, .active), at: at(100))
        #expect(grant(&lane, 2, at: 2000))
        #expect(passed(lane.input(InputChange(.passageIn, .inactive), at: at(3000))) == [1, 2])
    }

    @Test func aPersonWhoFollowsOnNobodysGrantIsTold() {
        var lane = lane([.passageIn, .passageOut])
        #expect(grant(&lane, 1, at: 0))
        _ = lane.input(InputChange(.passageIn, .active), at: at(100))
        _ = lane.input(InputChange(.passageIn, .inactive), at: at(600))
        let actions = lane.input(InputChange(.passageIn, .active), at: at(700))
        #expect(actions.contains(.record(.passage(.tailgating, direction: .in, grant: nil))))
        #expect(actions.contains(.record(.alarm(.tailgating))))
    }

    /// The first may be walking: given up, every passage after it would be that of the one before.
    @Test func theNinthWaitsForAPlaceAndNobodyIsGivenUpForThem() throws {
        var rules = LaneRules(cooldownAfterSuccess: 0)
        rules.inputs = [.passageIn, .passageOut]
        rules.passageWait = 60_000
        var lane = Lane(rules: rules)
        let numbers: ClosedRange<UInt64> = 1...8
        for number in numbers { #expect(grant(&lane, number, at: Int64(number))) }
        #expect(lane.condition(for: .nfc, at: at(9)) == .occupied(until: at(60_001)))
        #expect(throws: LaneRefusal.busy) { try lane.release(.in, by: Requester(user: 0, process: 1), at: at(9)) }
        _ = lane.input(InputChange(.passageIn, .active), at: at(100))
        #expect(passed(lane.input(InputChange(.passageIn, .inactive), at: at(200))) == [1])
        #expect(grant(&lane, 9, at: 300))
        for number in numbers {
            _ = lane.input(InputChange(.passageIn, .active), at: at(400))
            #expect(passed(lane.input(InputChange(.passageIn, .inactive), at: at(500))) == [number + 1])
        }
    }

    @Test func whoeverLeavesIsLetOutThoughEightAreWaitedFor() {
        var rules = LaneRules()
        rules.inputs = [.passageIn, .passageOut]
        rules.passageWait = 60_000
        var lane = Lane(rules: rules)
        for time in Int64(1)...12 {
            let actions = lane.input(InputChange(.requestToExit, .active), at: at(1000 * time))
            #expect(actions.contains(.setRelay(.out, true)))
            _ = lane.advance(to: at(1000 * time + 900))
        }
    }

    /// To a turnstile a relay that stays energised is one release.
    @Test func twoPressesThatHadToWaitAreTwoPulses() {
        var lane = lane([.passageIn, .passageOut])
        #expect(grant(&lane, 1, at: 0))
        _ = lane.input(InputChange(.requestToExit, .active), at: at(100))
        _ = lane.input(InputChange(.requestToExit, .active), at: at(200))
        var moves: [LaneAction] = []
        while let next = lane.nextChange, next < at(3000) { moves += lane.advance(to: next) }
        let relays = moves.filter { if case .setRelay = $0 { true } else { false } }
        #expect(relays == [.setRelay(.in, false), .setRelay(.out, true), .setRelay(.out, false),
                           .setRelay(.out, true), .setRelay(.out, false)])
    }

    /// Nothing is released: whoever passes was let through by nobody.
    @Test func underAFireThatReleasesNothingAForcedEntryIsAnAlarm() {
        var rules = LaneRules()
        rules.inputs = [.passageIn, .passageOut, .fire]
        rules.onFire = .stay
        rules.heldAfter = 5000
        var lane = Lane(rules: rules)
        _ = lane.input(InputChange(.fire, .active), at: at(0))
        #expect(lane.input(InputChange(.passageIn, .active), at: at(100)).contains(.record(.alarm(.forcedEntry))))
        #expect(lane.advance(to: at(5100)).contains(.record(.alarm(.held))))
    }

    /// Only where the installer has said that it releases nothing would nobody notice it otherwise.
    @Test(arguments: [InputFault.cut, .short]) func aBrokenFireLoopThatReleasesNothingIsSeen(fault: InputFault) {
        var rules = LaneRules()
        rules.inputs = [.fire]
        rules.releasesOnFireFault = false
        var lane = Lane(rules: rules)
        #expect(lane.input(InputChange(.fire, .faulty(fault)), at: at(0)).contains(.show(.degraded)))
        #expect(lane.energised == nil)
    }

    /// Beneath the key switch the operator's time runs on; afterwards nothing would tell when it was over.
    @Test func aTimedModeThatEndsBeneathTheSwitchIsRecorded() {
        var rules = LaneRules()
        rules.inputs = [.modeSwitch]
        var lane = Lane(rules: rules)
        _ = lane.setMode(ModeRequest(.heldOpen, until: at(1000)), by: Requester(user: 0, process: 1), at: at(0))
        _ = lane.input(InputChange(.modeSwitch, .active), at: at(100))
        #expect(lane.advance(to: at(1000)) == [.record(.orderOver(.heldOpen, source: .operator))])
        #expect(lane.mode.source == .input)
        _ = lane.input(InputChange(.modeSwitch, .inactive), at: at(2000))
        #expect(lane.mode.mode == .normal && lane.energised == nil)
    }

    // A switch that cannot be read --------------------------------------------------------------------

    private func switched(_ mode: LaneMode) -> Lane {
        var rules = LaneRules()
        rules.inputs = [.modeSwitch]
        rules.switchMode = mode
        var lane = Lane(rules: rules)
        _ = lane.setMode(bySchedule: ModeRequest(.freePassage), at: at(0))
        return lane
    }

    @Test(arguments: [LaneMode.lockedDown, .closed]) func aSwitchThatKeepsPeopleOutDoesSoUntilItIsKnown(mode: LaneMode) {
        var lane = switched(mode)
        #expect(lane.mode.mode == mode && lane.energised == nil)
        _ = lane.input(InputChange(.modeSwitch, .inactive, isFound: true), at: at(20))
        #expect(lane.mode.mode == .freePassage && lane.energised == .in)
        _ = lane.input(InputChange(.modeSwitch, .faulty(.unseen)), at: at(30))
        #expect(lane.mode.mode == mode && lane.energised == nil)
    }

    @Test(arguments: [LaneMode.freePassage, .heldOpen]) func aSwitchThatOpensOpensNothingUnknown(mode: LaneMode) {
        var rules = LaneRules()
        rules.inputs = [.modeSwitch]
        rules.switchMode = mode
        var lane = Lane(rules: rules)
        #expect(lane.mode.mode == .normal)
        _ = lane.input(InputChange(.modeSwitch, .active), at: at(0))
        #expect(lane.energised == .in)
        _ = lane.input(InputChange(.modeSwitch, .faulty(.unseen)), at: at(1))
        #expect(lane.energised == nil)
    }

    // Requests to exit -----------------------------------------------------------------------------------

    /// It is stuck: nobody pressed it. Whoever presses it afterwards gets out.
    @Test func aButtonThatIsFoundPressedLetsNobodyOut() {
        var lane = lane([.passageIn, .passageOut])
        let found = InputChange(.requestToExit, .active, isFound: true)
        #expect(lane.input(found, at: at(0)) == [.record(.input(.requestToExit, .active))])
        #expect(lane.energised == nil)
        _ = lane.input(InputChange(.requestToExit, .inactive), at: at(100))
        #expect(lane.energised == nil)
        _ = lane.input(InputChange(.requestToExit, .active), at: at(200))
        #expect(lane.energised == .out)
    }

    @Test func aReleaseWhoseRelayFailsIsTold() {
        var lane = lane([.passageIn, .passageOut])
        _ = lane.input(InputChange(.requestToExit, .active), at: at(0))
        #expect(lane.abandon().contains(.record(.releaseFailed(.out, by: .requestToExit))))
    }
}
