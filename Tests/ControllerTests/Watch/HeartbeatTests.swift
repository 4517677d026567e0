import Configuration
import Foundation
import Lines
import Service
import Testing
import Threads
import Waits

@testable import Controller

/// A whole gate, and one of its loops that hangs: the watchdog is fed no more, and the log says why.
@Suite("The heartbeat") struct HeartbeatTests {
    private enum Beat: Equatable { case feed, end }

    let site: TestSite
    private let hold = Hold()
    private let beats = Monitor<[Beat]>([])
    private let lines = Monitor<[String]>([])

    init() throws { site = try TestSite() }

    /// The loops of a gate with one lane, but for those of readers and signals.
    static let loops = ["control", "control-work", "housekeeper", "journal", "journal-log", "journal-sign", "journal-watch", "lane-main", "lights-main", "log",
                        "schedules", "sync"]

    private func serving(bank: SimulatedLineBank? = nil, _ body: (Controller, Loops) throws -> Void) throws {
        let loops = Loops(onRound: hold.seam)
        let loaded = try ConfigurationFile.load(path: site.path("tapstile.toml"))
        let logs = try LogOutput(LogSettings(loaded.configuration.log), loops: loops) { [lines] entry in
            lines.change { $0.append(entry.text) }
        }
        let controller = try Controller(
            loaded, path: site.path("tapstile.toml"), bank: bank ?? site.bank, logs: logs, loops: loops,
            outlet: .init(feed: { [beats] in beats.change { $0.append(.feed) } }, end: { [beats] in beats.change { $0.append(.end) } }))
        try controller.start(withReaders: false)
        defer {
            hold.end()
            controller.stop()
            logs.stop()
        }
        try body(controller, loops)
    }

    private func wait(for beat: Beat, line: Int = #line) throws {
        try beats.wait(for: "the beat '\(beat)'", line: line) { $0.last == beat ? () : nil }
    }

    @Test func everyLoopOfAGateIsWatched() throws {
        try serving { _, loops in #expect(loops.states.map(\.name) == Self.loops) }
    }

    @Test func itBeatsWhileAllGoOn() throws {
        try serving { _, _ in
            try beats.wait(for: "eight beats") { $0.count >= 8 ? () : nil }
            #expect(!beats.withLock { $0 }.contains(.end))
        }
    }

    @Test(arguments: loops) func aLoopThatHangsStopsIt(name: String) throws {
        try serving { _, _ in
            try wait(for: .feed)
            hold.begin(name)
            try wait(for: .end)
            let ended = beats.withLock { $0.count }
            try beats.wait(for: "two more beats") { $0.count >= ended + 2 ? () : nil }
            #expect(beats.withLock { $0[(ended - 1)...] }.allSatisfy { $0 == .end }, "nothing is fed while it hangs")
            hold.end()
            // The log may be what hung.
            try lines.wait(for: "the log to name the loop") {
                $0.contains { $0.hasPrefix("loop-stuck: \(name) ") } ? () : nil
            }
            try wait(for: .feed)
        }
    }

    @Test func aChipThatHangsWhileItEnergisesTheRelayIsAReasonForARestart() throws {
        enum Chip { case works, hangs, isFree }
        let chip = Monitor(Chip.works)
        let loaded = try ConfigurationFile.load(path: site.path("tapstile.toml"))
        let bank = SimulatedLineBank(loaded.configuration.lanes.flatMap(LineRequest.all(of:)), observer: { line, active, _ in
            guard line == "main-relay", active else { return }
            chip.change { $0 = .hangs }
            chip.hold("the chip") { $0 != .isFree }
        })
        try serving(bank: bank) { controller, loops in
            try site.publish(to: controller)
            let phone = try site.phone()
            let reader = try Worker(name: "reader", loops: loops) { _ in _ = controller.present(phone, at: "entry") }
            try chip.wait(for: "the chip to hang") { $0 == .hangs ? () : nil }
            if case .outside(let call, _)? = loops.states.first(where: { $0.name == "reader" })?.state {
                #expect(call.patience == .restart(afterMilliseconds: 5000))
            } else {
                Issue.record("the reader's thread is at the lines")
            }
            chip.change { $0 = .isFree }
            try reader.waitForEnd()
        }
    }

    @Test func aLoopThatWaitsOutsideIsShownAndDoesNotStopIt() throws {
        let hold = Monitor(true)
        let call = OutsideCall("the moon", .fault(afterMilliseconds: 0), remedy: "Wait.")
        try serving { controller, loops in
            let waiting = try Worker(name: "wolf", loops: loops) { _ in
                Loop.outside(call) { hold.hold("the wolf") { $0 } }
            }
            try lines.wait(for: "the log to name the wolf") {
                $0.contains { $0.hasPrefix("loop-delayed: wolf has been waiting for the moon") } ? () : nil
            }
            let delay = controller.status["delays"]?.array?.first
            #expect(delay?["code"]?.string == "loop-delayed")
            #expect(delay?["loop"]?.string == "wolf")
            hold.change { $0 = false }
            try waiting.waitForEnd()
            #expect(controller.status["delays"]?.array?.isEmpty == true)
            #expect(!beats.withLock { $0 }.contains(.end))
        }
    }
}
