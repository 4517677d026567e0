import Testing

@testable import Controller
@testable import Lanes

/// What a phone has ordered of an output, over a restart.
@Suite("Orders of outputs") struct OutputOrderTests {
    private static let order = OutputOrder(isOn: true, since: 10_000, length: 60_000)

    @Test func itReadsBack() { #expect(OutputOrder(Self.order.cbor) == Self.order) }

    @Test func whatIsNoOrderIsNone() {
        #expect(OutputOrder(3) == nil)
        #expect(OutputOrder([true, 1]) == nil)
        #expect(OutputOrder([1, 1, 1]) == nil)
        #expect(OutputOrder([true, 1, -1]) == nil)
        #expect(OutputOrder([true, 1, 604_800_001]) == nil, "longer than a week")
        #expect(OutputOrder([true, 9_223_372_036_854_775_807, 1]) == nil, "a sum that is no number")
    }

    @Test func whatIsLeftIsTheRestOfItsTime() {
        #expect(Self.order.rest(at: 10_000) == 60_000)
        #expect(Self.order.rest(at: 69_999) == 1)
        #expect(Self.order.rest(at: 70_000) == 0)
        #expect(Self.order.rest(at: .max) == 0)
    }

    /// By no clock, or by one that was ahead when it was ordered, it lasts once more and then ends: never for ever, never for a year.
    @Test func anUnknownTimeNeverMakesItLonger() {
        #expect(Self.order.rest(at: nil) == 60_000)
        #expect(Self.order.rest(at: 9999) == 60_000)
    }
}
