import Credentials
import Gate
import Testing

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

@Suite("Lane: somebody tries it (O2)") struct LaneTestTests {
    private let rules = LaneRules(pulse: 500, cooldownAfterSuccess: 2000, cooldownAfterFailure: 500, display: 1000)

    @Test func nobodyIsLetThroughMeanwhile() throws {
        var lane = Lane(rules: rules)
        _ = try lane.beginTest(at: at(0))
        #expect(lane.isUnderTest)
        #expect(lane.reserve(for: .nfc, at: at(0)).condition == .closed)
        #expect(lane.endTest() == [.show(.ready)])
        #expect(!lane.isUnderTest)
        #expect(lane.reserve(for: .nfc, at: at(0)).condition == .clear)
    }

    @Test func theRelayIsDeenergisedByItself() throws {
        var lane = Lane(rules: rules)
        _ = try lane.beginTest(at: at(0))
        #expect(lane.testRelay(.in, for: 300, at: at(10)) == [.setRelay(.in, true)])
        #expect(lane.energised == .in)
        #expect(lane.nextChange == at(310))
        #expect(lane.advance(to: at(309)) == [])
        #expect(lane.advance(to: at(310)) == [.setRelay(.in, false)])
        #expect(lane.energised == nil)
        #expect(lane.isUnderTest, "the test goes on")
    }

    @Test func aTestCannotHoldTheRelayForLong() throws {
        var lane = Lane(rules: rules)
        _ = try lane.beginTest(at: at(0))
        _ = lane.testRelay(.in, for: 3_600_000, at: at(0))
        #expect(lane.nextChange == at(Lane.longestTestPulse))
    }

    @Test func theEndDeenergisesTheRelay() throws {
        var lane = Lane(rules: rules)
        _ = try lane.beginTest(at: at(0))
        _ = lane.testRelay(.out, for: 500, at: at(0))
        #expect(lane.endTest() == [.setRelay(.out, false), .show(.ready)])
        #expect(lane.energised == nil)
    }

    @Test func neverTwoRelaysAtOnce() throws {
        var lane = Lane(rules: rules)
        _ = try lane.beginTest(at: at(0))
        _ = lane.testRelay(.in, for: 500, at: at(0))
        #expect(lane.testRelay(.out, for: 500, at: at(0)) == [])
        #expect(lane.energised == .in)
    }

    @Test func withoutATestNothingMoves() {
        var lane = Lane(rules: rules)
        #expect(lane.testRelay(.in, for: 500, at: at(0)) == [])
        #expect(lane.deenergiseTestedRelay() == [])
        #expect(lane.endTest() == [])
        #expect(lane.energised == nil)
    }

    @Test func whoeverPassesIsNotDisturbed() throws {
        var lane = Lane(rules: rules)
        let reservation = lane.reserve(for: .nfc, at: at(0))
        #expect(throws: LaneRefusal.busy) { try lane.beginTest(at: at(0)) }
        _ = lane.open(reservation, for: GrantIdentity(outcome: 1), at: at(0))
        #expect(throws: LaneRefusal.busy) { try lane.beginTest(at: at(0)) }
        _ = lane.advance(to: at(60_000))
        _ = try lane.beginTest(at: at(0))
        #expect(throws: LaneRefusal.busy) { try lane.beginTest(at: at(0)) }
    }

    /// The test would swallow their passage: they would be told as not passed, and the door as held at its end.
    @Test func whoeverIsWaitedForIsNotDisturbed() throws {
        var rules = rules
        rules.inputs = [.passageIn, .passageOut]
        var lane = Lane(rules: rules)
        _ = lane.open(lane.reserve(for: .nfc, at: at(0)), for: GrantIdentity(outcome: 1), at: at(0))
        _ = lane.advance(to: at(600))
        #expect(lane.energised == nil)
        #expect(throws: LaneRefusal.busy) { try lane.beginTest(at: at(700)) }
        _ = lane.input(InputChange(.passageIn, .active), at: at(800))
        #expect(throws: LaneRefusal.busy) { try lane.beginTest(at: at(900)) }
        _ = lane.input(InputChange(.passageIn, .inactive), at: at(1000))
        #expect(throws: Never.self) { try lane.beginTest(at: at(1100)) }
    }

    @Test func aLaneOutOfServiceCanBeTried() throws {
        var lane = Lane(rules: rules)
        _ = lane.setFaults([.reader, .line])
        _ = try lane.beginTest(at: at(0))
        #expect(lane.testRelay(.in, for: 500, at: at(0)) == [.setRelay(.in, true)])
    }

    @Test func aRelayThatCannotBeDrivenIsWantedDeenergised() throws {
        var lane = Lane(rules: rules)
        _ = try lane.beginTest(at: at(0))
        _ = lane.testRelay(.in, for: 500, at: at(0))
        #expect(lane.abandon() == [.setRelay(.in, false)])
        #expect(lane.energised == nil)
    }

    // What takes the lane from whoever tries it ------------------------------------------------------------

    private let requester = Requester(user: 0, process: 1)

    /// A lane in whose test the relay is energised.
    private func tried(_ rules: LaneRules? = nil) throws -> Lane {
        var lane = Lane(rules: rules ?? self.rules)
        _ = try lane.beginTest(at: at(0))
        _ = lane.testRelay(.in, for: 500, at: at(0))
        return lane
    }

    @Test func fireEndsTheTest() throws {
        var lane = try tried()
        _ = lane.input(InputChange(.fire, .active), at: at(100))
        #expect(!lane.isUnderTest)
        #expect(lane.energised == .in)
        #expect(lane.indicator == .fire)
        #expect(throws: LaneRefusal.open) { try lane.beginTest(at: at(200)) }
        _ = lane.input(InputChange(.fire, .inactive), at: at(300))
        #expect(lane.energised == nil, "the test does not go on")
        #expect(!lane.isUnderTest)
    }

    @Test func aLockdownEndsTheTestAtOnce() throws {
        var lane = try tried()
        let actions = lane.setMode(ModeRequest(.lockedDown), by: requester, at: at(100))
        #expect(actions.contains(.setRelay(.in, false)))
        #expect(!lane.isUnderTest)
        #expect(throws: LaneRefusal.lockedDown) { try lane.beginTest(at: at(200)) }
    }

    @Test func aModeThatOpensEndsTheTest() throws {
        var lane = try tried()
        _ = lane.setMode(ModeRequest(.heldOpen, direction: .in), by: requester, at: at(100))
        #expect(!lane.isUnderTest)
        #expect(lane.energised == .in)
        #expect(throws: LaneRefusal.open) { try lane.beginTest(at: at(200)) }
    }

    @Test func whoWantsOutIsLetOut() throws {
        var lane = try tried()
        _ = lane.input(InputChange(.requestToExit, .active), at: at(100))
        #expect(lane.energised == .out)
        #expect(!lane.isUnderTest)
    }

    @Test func aClosedLaneCanBeTried() throws {
        var lane = Lane(rules: rules)
        _ = lane.setMode(ModeRequest(.closed), by: requester, at: at(0))
        _ = try lane.beginTest(at: at(1))
        #expect(lane.testRelay(.in, for: 500, at: at(1)) == [.setRelay(.in, true)])
    }

    @Test func theEndOfTheGateDeenergisesTheRelay() throws {
        var lane = try tried()
        #expect(lane.stop().contains(.setRelay(.in, false)))
        #expect(lane.testRelay(.in, for: 500, at: at(1)) == [])
        #expect(throws: LaneRefusal.self) { try lane.beginTest(at: at(2)) }
    }

    @Test func anOperatorReleasesNobodyMeanwhile() throws {
        var lane = try tried()
        #expect(throws: LaneRefusal.busy) { try lane.release(.in, by: requester, at: at(1)) }
    }

    @Test func theLaneShowsThatItIsClosed() throws {
        var lane = Lane(rules: rules)
        _ = try lane.beginTest(at: at(0))
        #expect(lane.state == .closed)
        #expect(lane.indicator == .closed)
        _ = lane.endTest()
        #expect(lane.state == .idle)
    }
}
