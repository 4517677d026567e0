import Configuration
import Service
import Testing
import Threads

@testable import Controller

/// A stranger who connects again and again is told to go as often, and fills no log.
@Suite("The log of hang-ups (T6)") struct HangUpLogTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    @Test func ofManyOfAKindTheFirstIsToldAtOnce() throws {
        let lines = Monitor<[LogEntry]>([])
        let logs = try LogOutput(LogSettings(standard: .init(level: .info, target: .standardError), rooms: [:])) { entry in
            lines.withLock { $0.append(entry) }
        }
        try site.configure(lane: "carriers = \"both\"", more: "[[radio]]\nname = \"hall\"\nlanes = [\"main\"]\nlinks = 1\nreport-interval-ms = 0")
        let radio = TestRadio(try site.controller(logs: logs))
        let first = radio.connect(heard: -40)
        for _ in 0..<50 { radio.close(radio.connect()) }
        radio.close(first)
        #expect(radio.dropped.count == 50)
        logs.flush()
        let told = lines.withLock { $0 }.filter { $0.room == "conversations" }.map { $0.text.prefix { $0 != ":" } }
        #expect(told == ["ble-too-many"])
        #expect(radio.nextDue != nil, "the others are told when the minute is over")
    }
}
