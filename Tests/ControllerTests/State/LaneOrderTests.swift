import Encoding
import Gate
import Service
import Testing
import Vocabulary

@testable import Controller
@testable import Lanes

/// What an operator asked of a lane, over a restart.
@Suite("Orders of operators") struct LaneOrderTests {
    static func order(_ mode: LaneMode, until: Int64? = nil, direction: Direction? = nil) -> LaneOrder {
        LaneOrder(mode: mode, direction: direction, since: 1000, until: until, requester: Requester(user: 1000, process: 77))
    }

    static let orders = [
        order(.heldOpen, until: 9000, direction: .out), order(.lockedDown), order(.freePassage, direction: .in), order(.closed, until: -5)
    ]

    @Test(arguments: orders) func itReadsBack(order: LaneOrder) {
        #expect(LaneOrder(order.cbor) == order)
    }

    @Test func thatOfAPhoneReadsBack() {
        let order = LaneOrder(.holdOpen(60_000), at: 1000)
        #expect(order?.until == 61_000)
        #expect(order?.requester == nil)
        #expect(order.flatMap { LaneOrder($0.cbor) } == order)
        #expect(LaneOrder(.normal, at: 1000) == nil)
    }

    @Test func whatIsNoOrderIsNone() {
        #expect(LaneOrder(Self.order(.normal).cbor) == nil, "normal is no order")
        #expect(LaneOrder(["held-open", .null, 1, .null, 1000]) == nil)
        #expect(LaneOrder(["ajar", .null, 1, .null, 1000, 77]) == nil)
        #expect(LaneOrder(["held-open", .null, 1, .null, -1, 77]) == nil)
        #expect(LaneOrder(3) == nil)
    }

    @Test func itHoldsUntilItsTimeIsOver() {
        #expect(Self.order(.heldOpen, until: 9000).revival(at: 8999) == .holds(forMilliseconds: 1))
        #expect(Self.order(.heldOpen, until: 9000).revival(at: 9000) == .isOver)
        #expect(Self.order(.lockedDown, until: 9000).revival(at: 9001) == .isOver)
        #expect(Self.order(.freePassage).revival(at: 9001) == .holds(forMilliseconds: nil))
    }

    /// "For a minute", by a clock that was a year ahead and is right again: not for a year.
    @Test func anOrderFromTheFutureHasNoEndToGoBy() {
        let order = LaneOrder(mode: .heldOpen, direction: nil, since: 1_000_000, until: 1_060_000, requester: Requester(user: 0, process: 1))
        #expect(order.revival(at: 999_999) == .isOver)
        #expect(order.revival(at: 1_000_000) == .holds(forMilliseconds: 60_000))
    }

    /// Held open until six; the power is cut at five, and comes back at night with a time server that says five.
    @Test func aPowerCutDoesNotStretchWhatWasHeldOpen() {
        func revival(_ mode: LaneMode, isConfirmed: Bool) -> LaneOrder.Revival {
            Self.order(mode, until: 9000).revival(by: WallTime(milliseconds: 5000, trust: .synchronised, isConfirmed: isConfirmed))
        }
        for mode in [LaneMode.heldOpen, .freePassage] {
            #expect(revival(mode, isConfirmed: false) == .isOver)
            #expect(revival(mode, isConfirmed: true) == .holds(forMilliseconds: 4000))
        }
        for mode in [LaneMode.lockedDown, .closed] { #expect(revival(mode, isConfirmed: false) == .holds(forMilliseconds: 4000)) }
    }

    /// Nobody vouches for the time: fail secure.
    @Test func byAnUnknownTimeWhatOpensIsOverAndWhatShutsStays() {
        for mode in [LaneMode.heldOpen, .freePassage] { #expect(Self.order(mode, until: .max).revival(at: nil) == .isOver) }
        for mode in [LaneMode.lockedDown, .closed] { #expect(Self.order(mode, until: 0).revival(at: nil) == .holds(forMilliseconds: nil)) }
        #expect(Self.order(.heldOpen).revival(at: nil) == .holds(forMilliseconds: nil), "one without an end needs no clock")
    }
}
