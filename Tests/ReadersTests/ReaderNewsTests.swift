import Testing
import Threads
import Waits

@testable import Readers

@Suite("News of readers")
struct ReaderNewsTests {
    /// Told of one reader, a gate may wait for another thread that has news too: with a lock around the call neither would go on.
    @Test func nobodyIsToldUnderALock() throws {
        let told = Monitor<[ReaderName]>([])
        let second = Monitor<ReaderNews?>(nil)
        let news = ReaderNews { reader, _ in
            told.change { $0.append(reader) }
            guard reader == "one", let news = second.withLock({ $0 }) else { return }
            let thread = try? Worker(name: "another") { news.put("two", .ready) }
            reportingWaits { try thread?.waitForEnd() }
        }
        second.withLock { $0 = news }
        defer { second.withLock { $0 = nil } }
        news.put("one", .ready)
        try inTime("the telling of the first") { news.notify() }
        try inTime("the telling of the second") { news.notify() }
        #expect(told.withLock { $0 } == ["one", "two"])
    }

    @Test func eachIsToldOnceInItsOrderAndNotBesideAnother() throws {
        let told = Monitor<[String: [Int64]]>([:])
        let inside = Monitor(0)
        let together = Monitor(false)
        let news = ReaderNews { reader, state in
            let count = inside.change { inside -> Int in
                inside += 1
                return inside
            }
            if count > 1 { together.change { $0 = true } }
            if case .stuck(let number) = state { told.change { $0[reader, default: []].append(number) } }
            inside.change { $0 -= 1 }
        }
        let late = Monitor(false)
        let threads = try (0..<4).map { number in
            try Worker(name: "reader-\(number)") {
                for step in Int64(0)..<200 {
                    news.put("\(number)", .stuck(milliseconds: step))
                    news.notify()
                    if told.withLock({ $0["\(number)"]?.last }) != step { late.change { $0 = true } }
                }
            }
        }
        for thread in threads { try thread.waitForEnd() }
        let all = Array(Int64(0)..<200)
        for number in 0..<4 { #expect(told.withLock { $0["\(number)"] } == all) }
        #expect(!together.withLock { $0 }, "one call at a time")
        #expect(!late.withLock { $0 }, "told before tell() returns")
    }
}
