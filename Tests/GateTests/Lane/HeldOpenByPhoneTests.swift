import Credentials
import Testing
import Vocabulary

@testable import Gate

/// What a phone has ordered stands above the plan, and must not defeat it.
@Suite("Held open by a phone (A1, L6)") struct HeldOpenByPhoneTests {
    private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

    private func ordered(_ order: CommandAction.Order) throws -> Lane {
        var lane = Lane(rules: LaneRules())
        let reservation = lane.reserve(for: .order(order), over: .nfc, at: at(0))
        try #require(lane.order(reservation, order, at: at(0)) != nil)
        return lane
    }

    /// A minute before the building closes somebody holds the door open for a day.
    @Test(arguments: [LaneMode.closed, .lockedDown]) func aPlanThatShutsTheLaneEndsIt(mode: LaneMode) throws {
        var lane = try ordered(.holdOpen(86_400_000))
        #expect(lane.mode.mode == .heldOpen && lane.energised == .in)
        _ = lane.setMode(bySchedule: ModeRequest(mode), at: at(60_000))
        #expect(lane.mode.mode == mode && lane.energised == nil)
        _ = lane.setMode(bySchedule: nil, at: at(120_000))
        #expect(lane.mode.mode == .normal, "nothing of it comes back")
    }

    @Test func aPlanThatOpensTheLaneLeavesItAlone() throws {
        var lane = try ordered(.holdOpen(600_000))
        _ = lane.setMode(bySchedule: ModeRequest(.freePassage), at: at(60_000))
        _ = lane.setMode(bySchedule: nil, at: at(120_000))
        #expect(lane.mode.mode == .heldOpen && lane.mode.source == .phone)
    }

    @Test(arguments: [LaneMode.closed, .lockedDown]) func aPhonesLockDownOutlastsAPlan(mode: LaneMode) throws {
        var lane = try ordered(.lockDown(600_000))
        _ = lane.setMode(bySchedule: ModeRequest(mode), at: at(60_000))
        _ = lane.setMode(bySchedule: nil, at: at(120_000))
        #expect(lane.mode.mode == .lockedDown && lane.mode.source == .phone)
    }

    @Test func aRestartWhileThePlanShutsTheLaneDoesNotBringItBack() throws {
        var lane = Lane(rules: LaneRules())
        _ = lane.setMode(bySchedule: ModeRequest(.closed), at: at(0))
        _ = lane.restoreOrder(ModeRequest(.heldOpen), at: at(0))
        #expect(lane.mode.mode == .closed && lane.energised == nil)
    }
}
