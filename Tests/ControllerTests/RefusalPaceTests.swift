import Testing

@testable import Controller

/// An observer who asks for what it may not, as fast as it can, must not push everybody else's lines out of the log.
@Suite("Refusals at the control socket") struct RefusalPaceTests {
    @Test func whoeverIsRefusedAThousandTimesFillsNoLog() {
        let pace = RefusalPace()
        let verdicts = (0..<1000).map { pace.next(of: 1000, at: Int64($0)) }
        #expect(verdicts.filter { $0 == .logged }.count == 9)
        #expect(verdicts[9] == .loggedLast)
        #expect(verdicts.dropFirst(10).allSatisfy { $0 == .quiet })
    }

    @Test func anotherUserAndTheNextMinuteAreTold() {
        let pace = RefusalPace()
        for _ in 0..<100 { _ = pace.next(of: 1000, at: 0) }
        #expect(pace.next(of: 1001, at: 0) == .logged)
        #expect(pace.next(of: 1000, at: 59_999) == .quiet)
        #expect(pace.next(of: 1000, at: 60_000) == .logged)
    }
}
