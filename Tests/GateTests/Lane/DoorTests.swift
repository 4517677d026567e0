import Credentials
import Gate
import Testing
import Vocabulary

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

/// A door has one contact, which tells only that it is open (L5).
@Suite("Doors (L5, V5)") struct DoorTests {
    private func rules(_ hold: LaneRules.Hold = .untilPassage) -> LaneRules {
        var rules = LaneRules(cooldownAfterSuccess: 0)
        rules.inputs = [.passageIn]
        rules.hold = hold
        rules.passageWait = 600_000
        return rules
    }

    private func tap(_ lane: inout Lane, _ outcome: UInt64, _ direction: Direction = .in, at time: Int64) -> [LaneAction]? {
        lane.open(lane.reserve(direction, for: .nfc, at: at(time)), for: GrantIdentity(outcome: outcome), at: at(time))
    }

    private func opens(_ lane: inout Lane, at time: Int64) -> [LaneAction] { lane.input(InputChange(.passageIn, .active), at: at(time)) }

    private func closes(_ lane: inout Lane, at time: Int64) -> [LaneAction] { lane.input(InputChange(.passageIn, .inactive), at: at(time)) }

    private func passed(_ actions: [LaneAction]) -> [UInt64] {
        actions.compactMap { if case .passed(let grant, _) = $0 { grant.outcome } else { nil } }
    }

    private func findings(_ actions: [LaneAction]) -> [PassageFinding] {
        actions.compactMap { if case .record(.passage(let finding, _, _)) = $0 { finding } else { nil } }
    }

    /// It stood unlocked for up to ten minutes, closed, for whoever came next.
    @Test func aDoorThatHasClosedBehindTwoPeopleIsLocked() throws {
        var lane = Lane(rules: rules())
        #expect(tap(&lane, 1, at: 0) != nil)
        _ = opens(&lane, at: 1000)
        #expect(lane.energised == nil)
        #expect(tap(&lane, 2, at: 2000) != nil)
        #expect(lane.energised == .in)
        let actions = closes(&lane, at: 3000)
        #expect(passed(actions) == [1, 2])
        #expect(actions.contains(.setRelay(.in, false)))
        #expect(lane.energised == nil, "nobody waits for it any more")
    }

    /// The same behind a door that was wedged, forced, or opened from inside.
    @Test func aDoorThatStoodOpenBeforeTheTapIsLockedOnceItCloses() {
        var lane = Lane(rules: rules())
        _ = opens(&lane, at: 0)
        #expect(tap(&lane, 1, at: 1000) != nil)
        let actions = closes(&lane, at: 2000)
        #expect(passed(actions) == [1])
        #expect(lane.energised == nil)
    }

    @Test func anExitByADoorThatStandsOpenDoesNotUnlockItAfterwards() {
        var lane = Lane(rules: rules())
        #expect(tap(&lane, 1, at: 0) != nil)
        _ = opens(&lane, at: 1000)
        _ = lane.input(InputChange(.requestToExit, .active), at: at(2000))
        #expect(lane.energised == .out)
        #expect(findings(closes(&lane, at: 3000)) == [.passed, .passed])
        #expect(lane.energised == nil)
    }

    @Test func whoIsLetInWhileTheDoorStandsOpenHasPassedHoweverLongThatTakes() {
        var rules = rules(.pulse)
        rules.passageWait = 1000
        rules.heldAfter = 60_000
        var lane = Lane(rules: rules)
        #expect(tap(&lane, 1, at: 0) != nil)
        _ = opens(&lane, at: 100)
        #expect(tap(&lane, 2, at: 200) != nil)
        let meanwhile = lane.advance(to: at(20_000))
        #expect(findings(meanwhile) == [], "nobody knows yet that they have not passed")
        if let next = lane.nextChange { #expect(next > at(20_000), "the timekeeper is not woken for it again and again") }
        #expect(passed(closes(&lane, at: 20_100)) == [1, 2])
    }

    /// The alarm is about those who are there now.
    @Test func theAlarmOfADoorNamesTheWayThatWasLetThroughLast() {
        var rules = rules(.pulse)
        rules.heldAfter = 5000
        var lane = Lane(rules: rules)
        #expect(tap(&lane, 1, at: 0) != nil)
        _ = opens(&lane, at: 100)
        #expect(tap(&lane, 2, .out, at: 1000) != nil)
        let held = lane.advance(to: at(5100))
        #expect(held.contains(.record(.passage(.held, direction: .out, grant: GrantIdentity(outcome: 2)))))
        _ = closes(&lane, at: 6000)
        #expect(opens(&lane, at: 6100).contains(.record(.passage(.tailgating, direction: .out, grant: nil))))
    }

    /// A wire that is cut behind a tap must not unlock the door for ten minutes.
    @Test func aSensorThatIsLostEndsWhatWaitsForIt() {
        var lane = Lane(rules: rules())
        #expect(tap(&lane, 1, at: 0) != nil)
        _ = lane.input(InputChange(.passageIn, .faulty(.unseen)), at: at(3000))
        #expect(lane.energised == .in)
        _ = lane.advance(to: at(3500))
        #expect(lane.energised == nil, "as in a lane without one: a pulse")
    }

    @Test func aRelayThatIsHeldUntilThePassageEndsWithItThoughAReloadMakesItAPulse() {
        var lane = Lane(rules: rules())
        #expect(tap(&lane, 1, at: 0) != nil)
        _ = lane.adopt(rules(.pulse))
        #expect(lane.energised == .in)
        #expect(opens(&lane, at: 1000).contains(.setRelay(.in, false)))
    }

    /// Whoever is quick sees that it was for them.
    @Test func grantedIsShownForASecondThoughThePassageBeginsAtOnce() {
        var lane = Lane(rules: rules())
        #expect(tap(&lane, 1, at: 0) != nil)
        _ = opens(&lane, at: 100)
        #expect(lane.energised == nil && lane.indicator == .granted)
        _ = lane.advance(to: at(999))
        #expect(lane.indicator == .granted)
        _ = lane.advance(to: at(1000))
        #expect(lane.indicator == .ready)
    }
}
