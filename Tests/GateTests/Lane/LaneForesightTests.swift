import Credentials
import Gate
import Testing

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

/// A lane as it will be: what ends by itself is over by then, and all else stands.
@Suite("Lane ahead of time") struct LaneForesightTests {
    private static let requester = Requester(user: 1, process: 2)

    @Test func pulsesRestsAndReservationsAreOverByThen() {
        var lane = Lane(rules: LaneRules())
        let reservation = lane.reserve(for: .nfc, at: at(0))
        _ = lane.open(reservation, for: GrantIdentity(outcome: 1), at: at(0))
        #expect(lane.condition(for: .nfc, at: at(1)) != .clear)
        #expect(lane.foreseen(at: at(100_000), plan: nil).condition(for: .nfc, at: at(100_000)) == .clear)
        let held = lane.reserve(for: .nfc, at: at(50_000))
        #expect(lane.foreseen(at: at(100_000), plan: nil).condition(for: .nfc, at: at(100_000)) == .clear)
        lane.giveBack(held)
    }

    @Test func anOrderWithAnEndIsOverByThenAndAnotherIsNot() {
        for (until, condition) in [(at(60_000), LaneCondition.clear), (nil, .closed)] {
            var lane = Lane(rules: LaneRules())
            _ = lane.setMode(ModeRequest(.lockedDown, until: until), by: Self.requester, at: at(0))
            #expect(lane.foreseen(at: at(59_999), plan: nil).condition(for: .nfc, at: at(59_999)) == .closed)
            #expect(lane.foreseen(at: at(60_000), plan: nil).condition(for: .nfc, at: at(60_000)) == condition)
        }
    }

    @Test func thePlanIsThatOfThenBelowWhatAnOperatorWants() {
        var lane = Lane(rules: LaneRules())
        _ = lane.setMode(bySchedule: ModeRequest(.closed), at: at(0))
        #expect(lane.foreseen(at: at(5), plan: nil).mode.mode == .normal)
        #expect(lane.foreseen(at: at(5), plan: ModeRequest(.freePassage)).mode.source == .schedule)
        _ = lane.setMode(ModeRequest(.lockedDown), by: Self.requester, at: at(0))
        #expect(lane.foreseen(at: at(5), plan: ModeRequest(.freePassage)).mode.mode == .lockedDown)
        #expect(lane.mode.mode == .lockedDown)
    }

    /// A fault does not fix itself.
    @Test func faultsStand() {
        var lane = Lane(rules: LaneRules())
        _ = lane.setFaults([.line])
        #expect(lane.foreseen(at: at(1_000_000), plan: nil).condition(for: .nfc, at: at(1_000_000)) == .outOfService)
    }
}
