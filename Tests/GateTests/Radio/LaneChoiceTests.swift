import Gate
import Testing

@Suite("Which lane of a shared radio is offered first") struct LaneChoiceTests {
    private static let standing: [LaneCondition] = [
        .busy, .occupied(until: Instant(milliseconds: 9)), .closed, .outOfService, .resting(Cooldown(kind: .success, ends: Instant(milliseconds: 9)))
    ]

    @Test func theFirstThatIsFree() {
        #expect(LaneChoice.order([("a", .clear), ("b", .clear)]) == ["a", "b"])
        #expect(LaneChoice.order([]) == [])
    }

    @Test(arguments: standing) func notOneThatCannotServeNow(condition: LaneCondition) {
        #expect(LaneChoice.order([("a", condition), ("b", .clear), ("c", .clear)]) == ["b", "a", "c"])
    }

    @Test(arguments: standing) func theFirstOfAllWhereNoneIsFree(condition: LaneCondition) {
        #expect(LaneChoice.order([("a", condition), ("b", .busy)]) == ["a", "b"])
    }
}
