import Testing
import Waits

/// The waits that all tests trust: each has an end, whatever else the machine does.
@Suite struct WaitTests {
    /// The limit may be over before the wait has begun: a test must not wait for ever then.
    @Test func aWaitWhoseTimeIsOverEnds() async throws {
        let log = EventLog<Int>()
        for _ in 0..<200 {
            await #expect(throws: WaitedInVain.self) { try await log.next("nothing", seconds: 0) { _ in true } }
        }
        log.record(7)
        #expect(try await log.next("the event") { $0 == 7 } == 7)
    }

    @Test func aWaitInVainSaysWhatCameInstead() async throws {
        let log = EventLog<Int>()
        log.record(1)
        log.record(2)
        do {
            try await log.next("a three", seconds: 0) { $0 == 3 }
            Issue.record("there was no three")
        } catch let vain as WaitedInVain {
            #expect(vain.description.hasSuffix("waited 0 s for a three; there was instead: 1, 2"))
        }
    }
}
