import Configuration
import Service
import Testing
import Threads

@testable import Controller

/// A stranger who connects again and again is told to go as often, and fills no log.
@Suite("The log of hang-ups (T6)") struct HangUpLogTests {
    let site: TestSite
    private let lines = Monitor<[LogEntry]>([])

    init() throws { site = try TestSite() }

    private func logs() throws -> LogOutput {
        try LogOutput(LogSettings(standard: .init(level: .info, target: .standardError), rooms: [:])) { [lines] entry in
            lines.withLock { $0.append(entry) }
        }
    }

    /// A radio for one phone at a time.
    private func radio(_ logs: LogOutput) throws -> TestRadio {
        try site.configure(lane: "carriers = \"both\"", more: "[[radio]]\nname = \"hall\"\nlanes = [\"main\"]\nlinks = 1\nreport-interval-ms = 0")
        return TestRadio(try site.controller(logs: logs))
    }

    private var codes: [Substring] {
        lines.withLock { $0 }.filter { $0.room == "conversations" }.map { $0.text.prefix { $0 != ":" } }
    }

    @Test func ofManyOfAKindTheFirstIsToldAtOnce() throws {
        let logs = try logs()
        let radio = try radio(logs)
        let first = radio.connect(heard: -40)
        for _ in 0..<50 { radio.close(radio.connect()) }
        radio.close(first)
        #expect(radio.dropped.count == 50)
        logs.flush()
        #expect(codes == ["ble-too-many"])
        #expect(radio.nextDue != nil, "the others are told when the minute is over")
    }

    @Test func whoeverDoesNotGoIsToldAgainAndCountsOnce() throws {
        let logs = try logs()
        let radio = try radio(logs)
        let links = [radio.connect(heard: -40), radio.connect()]
        try radio.wait(for: "the second request to drop it") { radio.dropped.filter { $0 == links[1] }.count == 2 }
        for link in links { radio.close(link) }
        logs.flush()
        #expect(codes.filter { $0 == "ble-too-many" }.count == 1)
        #expect(radio.nextDue == nil, "nothing is left to tell")
    }
}
