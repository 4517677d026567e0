import Credentials
import Gate
import Testing

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

    private func grant(_ lane: inout Lane, _ outcome: UInt64, at time: Int64, _ direction: Direction = .inward) -> Bool {
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
        #expect(actions.contains(.record(.passage(.second, direction: .inward, grant: nil))))
        #expect(actions.contains(.record(.alarm(.second))))
    }

    @Test func onlySoManyAreWaitedForAndTheFirstIsGivenUp() {
        var rules = LaneRules(cooldownAfterSuccess: 0)
        rules.inputs = [.passageIn, .passageOut]
        rules.passageWait = 60_000
        var lane = Lane(rules: rules)
        var actions: [LaneAction] = []
        let numbers: ClosedRange<UInt64> = 1...9
        for number in numbers {
            let reservation = lane.reserve(.inward, for: .nfc, at: at(Int64(number)))
            #expect(reservation.condition == .clear)
            actions += lane.open(reservation, for: GrantIdentity(outcome: number), at: at(Int64(number))) ?? []
        }
        let givenUp: [UInt64] = actions.compactMap { if case .notPassed(let grant, _) = $0 { grant.outcome } else { nil } }
        #expect(givenUp == [1])
    }

    // A switch that cannot be read --------------------------------------------------------------------

    private func switched(_ mode: LaneMode) -> Lane {
        var rules = LaneRules()
        rules.inputs = [.modeSwitch]
        rules.switchMode = mode
        var lane = Lane(rules: rules)
        _ = lane.setMode(bySchedule: ModeWish(.freePassage), at: at(0))
        return lane
    }

    @Test(arguments: [LaneMode.lockedDown, .closed]) func aSwitchThatKeepsPeopleOutDoesSoUntilItIsKnown(mode: LaneMode) {
        var lane = switched(mode)
        #expect(lane.mode.mode == mode && lane.energised == nil)
        _ = lane.input(InputChange(.modeSwitch, .inactive, isFound: true), at: at(20))
        #expect(lane.mode.mode == .freePassage && lane.energised == .inward)
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
        #expect(lane.energised == .inward)
        _ = lane.input(InputChange(.modeSwitch, .faulty(.unseen)), at: at(1))
        #expect(lane.energised == nil)
    }

    // Exit requests -----------------------------------------------------------------------------------

    /// It is stuck: nobody pressed it. Whoever presses it afterwards gets out.
    @Test func aButtonThatIsFoundPressedLetsNobodyOut() {
        var lane = lane([.passageIn, .passageOut])
        let found = InputChange(.exitRequest, .active, isFound: true)
        #expect(lane.input(found, at: at(0)) == [.record(.input(.exitRequest, .active))])
        #expect(lane.energised == nil)
        _ = lane.input(InputChange(.exitRequest, .inactive), at: at(100))
        #expect(lane.energised == nil)
        _ = lane.input(InputChange(.exitRequest, .active), at: at(200))
        #expect(lane.energised == .outward)
    }

    @Test func aReleaseWhoseRelayFailsIsTold() {
        var lane = lane([.passageIn, .passageOut])
        _ = lane.input(InputChange(.exitRequest, .active), at: at(0))
        #expect(lane.abandon().contains(.record(.releaseFailed(.outward, by: .exitRequest))))
    }
}
