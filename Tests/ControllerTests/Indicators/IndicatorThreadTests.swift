import Credentials
import Gate
import Lines
import Service
import Testing
import Threads
import Waits

@testable import Controller
@testable import Lanes

/// Lines in memory of which some hang, as behind a bus that does not answer.
private final class SlowBank: LineBank {
    private let bank: SimulatedLineBank
    private let slow: Set<LineName>
    /// Whether slow lines hang, and whether one does now.
    private let hanging = Monitor((isSlow: true, hangs: false))

    init(_ names: [LineName], slow: Set<LineName>) {
        bank = SimulatedLineBank(names.enumerated().map { number, name in
            LineRequest(name: name, chip: "simulated", line: .offset(UInt32(number)))
        })
        self.slow = slow
    }

    var faults: [LineName: LineError] { bank.faults }
    var foundActive: Set<LineName> { bank.foundActive }

    func set(_ line: LineName, active: Bool) throws(LineError) {
        if slow.contains(line) {
            hanging.change { $0.hangs = true }
            hanging.hold("the line \(line)") { $0.isSlow }
        }
        try bank.set(line, active: active)
    }

    func read(_ line: LineName) throws(LineError) -> Bool { try bank.read(line) }
    func release() { bank.release() }
    func isActive(_ line: LineName) -> Bool? { bank.isActive(line) }
    func waitUntilOneHangs() throws { try hanging.wait(for: "a line that hangs") { $0.hangs ? () : nil } }
    func answer() { hanging.change { $0.isSlow = false } }
}

@Suite("The thread that plays the indicators (L2)") struct IndicatorThreadTests {
    private static func lane(_ bank: any LineBank, _ logs: LogOutput, patterns: Patterns = Patterns()) -> LaneRunner {
        LaneRunner(name: "main", rules: LaneRules(pulse: 500, cooldownAfterSuccess: 0, cooldownAfterFailure: 0, display: 1000),
                   lines: LaneLines(relay: "relay", lamps: [.red: "red", .green: "green", .blue: "blue"]), patterns: patterns,
                   bank: bank, events: EventHub(clock: SystemClock(directory: nil)), log: logs.log("lines"), onFailure: {})
    }

    @Test func anIndicatorThatHangsHoldsUpNoRelay() throws {
        let bank = SlowBank(["relay", "red", "green", "blue"], slow: ["red", "green", "blue"])
        let logs = try LogOutput(LogSettings()) { _ in }
        defer { logs.stop() }
        let lane = Self.lane(bank, logs)
        let indicatorThread = IndicatorThread(lane: "main", indicators: lane.indicators, loops: Loops(), play: { lane.playIndicators(at: $0) })
        try indicatorThread.start()
        try bank.waitUntilOneHangs()
        // All of this goes on while the indicator hangs.
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        let reservation = lane.reserve(.in, for: .nfc, at: now)
        #expect(reservation.condition == .clear)
        let opened = lane.open(reservation, for: GrantIdentity(outcome: 1), at: now)
        #expect(opened)
        #expect(bank.isActive("relay") == true)
        lane.advance(to: now + 500)
        #expect(bank.isActive("relay") == false)
        bank.answer()
        indicatorThread.stop()
    }

    @Test func stepsArePlayedInOrderAndNeverBeforeTheirTime() throws {
        let edges = Monitor<[(line: LineName, active: Bool, at: Int64)]>([])
        let names = ["relay", "red", "green", "blue"]
        let bank = SimulatedLineBank(
            names.enumerated().map { LineRequest(name: $1, chip: "simulated", line: .offset(UInt32($0))) },
            observer: { line, active, microseconds in edges.change { $0.append((line, active, microseconds)) } })
        let logs = try LogOutput(LogSettings()) { _ in }
        defer { logs.stop() }
        let steps = try [(LampSet.red, Int64(100)), ([], 100), (.green, 200)].map { try #require(PatternStep($0.0, length: $0.1)) }
        let lane = Self.lane(bank, logs, patterns: Patterns(own: [.denied: try Pattern(steps, repeats: true)]))
        let rounds = Monitor(0)
        let loops = Loops(limit: 600_000, onRound: { _ in rounds.change { $0 += 1 } })
        let indicatorThread = IndicatorThread(lane: "main", indicators: lane.indicators, loops: loops, play: { lane.playIndicators(at: $0) })
        try indicatorThread.start()
        try edges.wait(for: "the blue lamp") { $0.contains { $0.line == "blue" && $0.active } ? () : nil }
        let began = MonotonicTime.milliseconds
        lane.indicators.show(ShownSignal(.denied, since: Instant(milliseconds: began)), isReleased: false)
        let seen = try edges.wait(for: "twelve edges") { $0.count >= 12 ? Array($0.dropFirst(1)) : nil }
        indicatorThread.stop()
        // However late this thread may come: what it writes is on, or was since the write before.
        let player = PatternPlayer(try Pattern(steps, repeats: true), since: Instant(milliseconds: began))
        var before = began
        for edge in seen where edge.line != "blue" {
            let lamp: LampSet = edge.line == "red" ? .red : .green
            let at = edge.at / 1000
            #expect((before...at).contains { player.lamps(at: Instant(milliseconds: $0)).contains(lamp) == edge.active },
                    "\(edge.line) \(edge.active) \(at - began) ms after the beginning")
            before = at
        }
        // It woke for the steps, once for each, and not between them: two wakes declare one round of a wait.
        #expect(rounds.withLock { $0 } <= 2 * seen.count + 8)
    }

    @Test func aLaneWithoutIndicatorsHasNoThread() throws {
        let loops = Loops()
        let indicators = LaneIndicators(lamps: [:], steady: [:], shownSignal: ShownSignal(.ready, since: Instant(milliseconds: 0)))
        let indicatorThread = IndicatorThread(lane: "main", indicators: indicators, loops: loops, play: { _ in })
        try indicatorThread.start()
        #expect(loops.states.isEmpty)
        indicatorThread.stop()
    }
}
