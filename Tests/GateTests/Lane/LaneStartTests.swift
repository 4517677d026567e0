import Credentials
import Gate
import Testing
import Vocabulary

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

/// What is wanted of a lane comes one after the other at a start; none of it may move a relay before all of it is known (L6).
@Suite("A lane begins with its mode worked out whole") struct LaneStartTests {
    /// A lane whose gate starts, with a plan that holds it open.
    private func lane(_ inputs: Set<InputKind> = []) -> (lane: Lane, actions: [LaneAction]) {
        var rules = LaneRules()
        rules.inputs = inputs
        rules.hasRelayOut = true
        rules.onFire = .release(.out)
        var lane = Lane(rules: rules)
        lane.prepare()
        let actions = lane.setMode(bySchedule: ModeRequest(.freePassage), at: at(0))
        return (lane, actions)
    }

    private func mode(_ actions: [LaneAction]) -> [LaneMode] {
        actions.compactMap { if case .record(.mode(let mode, _, _, _)) = $0 { mode } else { nil } }
    }

    private func moves(_ actions: [LaneAction]) -> [LaneAction] {
        actions.filter { if case .setRelay = $0 { true } else { false } }
    }

    @Test(arguments: [LaneMode.lockedDown, .closed]) func aPlanThatComesFirstOpensNothingThatAnOperatorHasShut(mode: LaneMode) {
        var (lane, actions) = lane()
        actions += lane.restore(ModeRequest(mode), isArmed: true, at: at(1))
        actions += lane.begin(at: at(2))
        #expect(moves(actions) == [])
        #expect(self.mode(actions) == [mode], "nor does the journal say that it was open")
    }

    @Test func aLaneThatWasHeldOpenWaitsForItsContacts() {
        var (lane, actions) = lane([.modeSwitch])
        #expect(lane.energised == nil)
        actions += lane.input(InputChange(.modeSwitch, .active, isFound: true), at: at(20))
        actions += lane.begin(at: at(20))
        #expect(moves(actions) == [])
        #expect(mode(actions) == [.lockedDown])
        _ = lane.input(InputChange(.modeSwitch, .inactive), at: at(30))
        #expect(lane.energised == .in)
    }

    /// What a fire wants is above everything that may still come.
    @Test func aFireThatIsFoundMovesItsWayAtOnceAndNoOther() {
        var (lane, actions) = lane([.fire])
        actions += lane.input(InputChange(.fire, .active, isFound: true), at: at(20))
        #expect(lane.energised == .out)
        actions += lane.begin(at: at(21))
        #expect(moves(actions) == [.setRelay(.out, true)])
    }

    @Test func whatNobodyShutsIsOpenOnceAllIsKnown() {
        var (lane, actions) = lane()
        #expect(moves(actions) == [])
        actions = lane.begin(at: at(2))
        #expect(moves(actions) == [.setRelay(.in, true)])
        #expect(mode(actions) == [.freePassage])
    }
}
