import Credentials
import Gate
import Lines
import Service
import Synchronization
import Tap
import Testing
import Threads
import Waits

@testable import Controller
@testable import Lanes

/// A lane whose taps and time come from two threads.
@Suite("A lane between threads") struct LaneRunnerTests {
    @Test func aGrantMovesTheRelayThoughItsPulseIsOverAtOnce() throws {
        let moves = Atomic(0)
        let bank = SimulatedLineBank([LineRequest(name: "relay", chip: "simulated", line: .offset(1), activeLow: false, consumer: "test")],
                                     observer: { _, active, _ in if active { moves.add(1, ordering: .relaxed) } })
        let logs = try LogOutput(LogSettings()) { _ in }
        defer { logs.stop() }
        let lane = LaneRunner(name: "main", rules: LaneRules(pulse: 0, cooldownAfterSuccess: 0, cooldownAfterFailure: 0, display: 0),
                              lines: LaneLines(relay: "relay"), bank: bank,
                              events: EventHub(clock: SystemClock(directory: nil)), log: logs.log("lines"), onFailure: {})
        let isOver = Atomic(false)
        let time = try Worker(name: "time") {
            while !isOver.load(ordering: .relaxed) { lane.advance(to: Instant(milliseconds: MonotonicTime.milliseconds)) }
        }
        var refused = 0
        for _ in 0..<20_000 {
            let reservation = lane.reserve(.in, for: .nfc, at: Instant(milliseconds: MonotonicTime.milliseconds))
            if !lane.open(reservation, for: GrantIdentity(outcome: 1), at: Instant(milliseconds: MonotonicTime.milliseconds)) { refused += 1 }
        }
        isOver.store(true, ordering: .relaxed)
        try time.waitForEnd()
        #expect(refused == 0)
    }

    /// Two carriers change at once: whoever is overtaken on his way to the lane must not take it out of service with what is no longer so.
    @Test func theLaneGoesByTheNewestStateOfItsCarriers() throws {
        let logs = try LogOutput(LogSettings()) { _ in }
        defer { logs.stop() }
        let lane = LaneRunner(name: "main", rules: LaneRules(), lines: LaneLines(relay: "relay"), bank: SimulatedLineBank([]),
                              events: EventHub(clock: SystemClock(directory: nil)), log: logs.log("lines"), onFailure: {})
        let carriers = LaneCarriers(.nfcFirst)
        let isRecorded = Monitor(false)
        let radio = try Worker(name: "radio") {
            lane.setReaderFaults {
                let faults = carriers.record(radio: "radio", isInService: false)
                isRecorded.change { $0 = true }
                letTimePass(.milliseconds(50), because: "the reader comes meanwhile, and must wait")
                return faults
            }
        }
        try isRecorded.wait(for: "the radio's fault") { $0 ? () : nil }
        lane.setReaderFaults { carriers.record("reader", toward: .in, .ready) }
        try radio.waitForEnd()
        #expect(!lane.snapshot.faults.contains(.reader))
    }
}
