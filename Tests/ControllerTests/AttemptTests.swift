import Synchronization
import Testing

@testable import Controller
@testable import Lanes

@Suite("Attempt: one result, whoever is first") struct AttemptTests {
    private final class Count: Sendable {
        let value = Mutex(0)
        func up() { value.withLock { $0 += 1 } }
        var now: Int { value.withLock { $0 } }
    }

    private func attempt(_ count: Count) -> Attempt {
        Attempt(reader: "entry", carrier: .nfc, began: 0, deadline: 1500) { _ in count.up() }
    }

    @Test func aDeadlineEndsAnAttemptOnce() {
        let timeouts = Count()
        let attempt = attempt(timeouts)
        attempt.expire()
        attempt.expire()
        #expect(timeouts.now == 1)
        #expect(!attempt.beginDecision(at: 0), "a late proof decides nothing")
        #expect(!attempt.end())
    }

    @Test func aDecisionInTimeIsNotTakenBackByTheDeadline() {
        let timeouts = Count()
        let attempt = attempt(timeouts)
        #expect(attempt.beginDecision(at: 1499))
        attempt.expire()
        #expect(timeouts.now == 0)
        #expect(attempt.end())
    }

    @Test func aProofAtTheDeadlineIsTooLateAlsoWhenItsKeeperHasNotNoticed() {
        let timeouts = Count()
        let attempt = attempt(timeouts)
        #expect(!attempt.beginDecision(at: 1500))
        #expect(timeouts.now == 1)
        #expect(!attempt.end())
    }

    @Test func anEndedAttemptDecidesNothing() {
        let attempt = attempt(Count())
        #expect(attempt.end())
        #expect(!attempt.beginDecision(at: 0))
        #expect(!attempt.end())
    }
}
