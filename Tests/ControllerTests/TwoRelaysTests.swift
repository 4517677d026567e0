import Gate
import Lines
import Service
import Testing
import Threads
import Vocabulary

@testable import Controller
@testable import Lanes

/// A lane with a relay each way (L1): what is on the lines, not what is wanted.
@Suite("Two relays, never both") struct TwoRelaysTests {
    private static let relays: [LineName] = ["in", "out"]

    private let bank: SimulatedLineBank
    /// Whether both were energised at any time.
    private let overlap: Overlap
    private let lane: LaneRunner
    private let logs: LogOutput
    private let ears = Ears()

    /// What the lane has told.
    private final class Ears: Sendable {
        let told = Mutex<[LaneAction]>([])
        let warned = Mutex<[String]>([])
    }

    private final class Overlap: Sendable {
        private let state = Mutex((on: Set<LineName>(), seen: false))
        func note(_ line: LineName, _ active: Bool) {
            state.withLock { state in
                if active { state.on.insert(line) } else { state.on.remove(line) }
                if state.on.count > 1 { state.seen = true }
            }
        }
        var isSeen: Bool { state.withLock { $0.seen } }
    }

    init() throws {
        let overlap = Overlap()
        let requests = Self.relays.enumerated().map { LineRequest(name: $1, chip: "simulated", line: .offset(UInt32($0)), activeLow: false, consumer: "test") }
        bank = SimulatedLineBank(requests, observer: { line, active, _ in overlap.note(line, active) })
        self.overlap = overlap
        logs = try LogOutput(LogSettings()) { _ in }
        var rules = LaneRules(cooldownAfterSuccess: 0, cooldownAfterFailure: 0)
        rules.hasRelayOut = true
        rules.onFire = .release(.out)
        lane = LaneRunner(name: "main", rules: rules, lines: LaneLines(relay: "in", relayOut: "out"), bank: bank,
                          events: EventHub(clock: SystemClock(directory: nil)), log: logs.log("lines"), onFailure: {},
                          onWarning: { [ears] warning, line in ears.warned.withLock { $0.append("\(warning.code) \(line)") } },
                          onReport: { [ears] action in ears.told.withLock { $0.append(action) } })
    }

    private var now: Instant { Instant(milliseconds: MonotonicTime.milliseconds) }

    private var energised: [LineName] { Self.relays.filter { bank.isActive($0) == true } }

    private func grant(_ direction: Direction) -> Bool {
        lane.open(lane.reserve(direction, for: .nfc, at: now), for: GrantIdentity(outcome: 1), at: now)
    }

    @Test func eachDirectionHasItsOwn() {
        #expect(grant(.out))
        #expect(energised == ["out"])
        lane.advance(to: now + 1000)
        #expect(energised == [])
        #expect(grant(.in))
        #expect(energised == ["in"])
    }

    @Test func fireTurnsARunningPulse() {
        #expect(grant(.in))
        lane.input(InputChange(.fire, .active), at: now)
        lane.advance(to: now)
        #expect(energised == ["out"])
        lane.input(InputChange(.fire, .inactive), at: now)
        lane.advance(to: now)
        #expect(energised == [])
        #expect(!overlap.isSeen)
    }

    /// Two directions at once break a tripod.
    @Test func aRelayThatIsNotDeenergisedKeepsTheOtherDeenergised() throws {
        #expect(grant(.in))
        bank.fail("in", with: .failed(doing: "set", errno: 5))
        lane.setMode(ModeRequest(.heldOpen, direction: .out), by: Requester(user: 0, process: 1), at: now)
        lane.advance(to: now + 1000)
        #expect(energised == ["in"])
        bank.fail("in", with: nil)
        lane.refresh()
        #expect(energised == ["out"])
        #expect(!overlap.isSeen)
    }

    /// A house on fire does not wait for a turnstile's arms.
    @Test func aRelayThatIsNotDeenergisedHoldsUpNoFire() {
        #expect(grant(.in))
        bank.fail("in", with: .failed(doing: "set", errno: 5))
        lane.input(InputChange(.fire, .active), at: now)
        lane.advance(to: now)
        #expect(energised == ["in", "out"])
        #expect(lane.snapshot.stuckOn == ["in"])
        #expect(ears.told.withLock { $0 }.contains(.record(.alarm(.stuckOn))), "the alarm says what stands open")
        #expect(ears.warned.withLock { $0 } == ["relay-stuck-on in"])
        lane.input(InputChange(.fire, .inactive), at: now)
        lane.advance(to: now)
        #expect(energised == ["in"], "as soon as nobody must get out")
        #expect(lane.snapshot.state == .alarm(.stuckOn))
        bank.fail("in", with: nil)
        lane.refresh()
        #expect(energised == [])
        #expect(lane.snapshot.stuckOn == [])
        #expect(ears.told.withLock { $0 }.filter { $0 == .record(.alarm(.stuckOn)) }.count == 1)
    }

    /// Nobody is locked in by a relay that keeps the other way open.
    @Test func aRelayThatIsNotDeenergisedLocksNobodyIn() {
        #expect(grant(.in))
        bank.fail("in", with: .failed(doing: "set", errno: 5))
        lane.advance(to: now + 1000)
        #expect(energised == ["in"])
        lane.input(InputChange(.requestToExit, .active), at: now + 1001)
        lane.advance(to: now + 1001)
        #expect(energised == ["in", "out"])
        #expect(!ears.told.withLock { $0 }.contains { if case .record(.releaseFailed) = $0 { true } else { false } })
        lane.advance(to: now + 3000)
        #expect(energised == ["in"], "its pulse has an end as ever")
    }

    /// Nobody knows what a relay does that could not be driven; what is known is that it was de-energised.
    @Test func aRelayThatIsBrokenDeenergisedDoesNotHoldUpAFire() {
        bank.fail("in", with: .failed(doing: "set", errno: 5))
        #expect(!grant(.in))
        lane.input(InputChange(.fire, .active), at: now)
        lane.advance(to: now)
        #expect(energised == ["out"])
    }

    /// Two taps, whose records are long on the way to a slow disk. Meanwhile the relay fails and recovers.
    @Test func aTapWhoseRelayFailedMeanwhileOpensNothingOnAnotherTapsReservation() {
        let first = lane.reserve(.in, for: .nfc, at: now)
        bank.fail("in", with: .failed(doing: "set", errno: 5))
        #expect(throws: Never.self) { try lane.release(.in, by: Requester(user: 0, process: 1), at: now) }
        lane.advance(to: now)
        bank.fail("in", with: nil)
        lane.refresh()
        let second = lane.reserve(.out, for: .nfc, at: now)
        #expect(second.condition == .clear)
        let firstOpened = lane.open(first, for: GrantIdentity(outcome: 1), at: now)
        #expect(!firstOpened, "what met the failure is void")
        #expect(energised == [], "nor does it open the other tap's relay")
        let secondOpened = lane.open(second, for: GrantIdentity(outcome: 2), at: now)
        #expect(secondOpened)
        #expect(energised == ["out"])
    }

    /// The same where the first tap's record never comes to the disk.
    @Test func aTapWhoseRelayFailedMeanwhileGivesNothingBackOfAnotherTaps() {
        let first = lane.reserve(.in, for: .nfc, at: now)
        bank.fail("in", with: .failed(doing: "set", errno: 5))
        #expect(throws: Never.self) { try lane.release(.in, by: Requester(user: 0, process: 1), at: now) }
        lane.advance(to: now)
        bank.fail("in", with: nil)
        lane.refresh()
        let second = lane.reserve(.out, for: .nfc, at: now)
        lane.giveBack(first)
        #expect(lane.condition(.in, for: .nfc, at: now) == .busy, "one tap at a time")
        let secondOpened = lane.open(second, for: GrantIdentity(outcome: 2), at: now)
        #expect(secondOpened)
        #expect(energised == ["out"])
    }

    /// A chip that energises the line and then says that it failed.
    private final class LyingBank: LineBank {
        let bank: SimulatedLineBank
        let lies = Mutex(true)

        init(_ bank: SimulatedLineBank) { self.bank = bank }

        var faults: [LineName: LineError] { bank.faults }
        var foundActive: Set<LineName> { bank.foundActive }
        func read(_ line: LineName) throws(LineError) -> Bool { try bank.read(line) }
        func release() { bank.release() }

        func set(_ line: LineName, active: Bool) throws(LineError) {
            try bank.set(line, active: active)
            if active, lies.withLock({ $0 }) { throw .failed(doing: "set", errno: 5) }
        }
    }

    /// Its write failed, and it may have left its rest: it goes back there at once, and before the other one moves.
    @Test func aRelayWhoseWriteFailedIsDeenergised() {
        let bank = LyingBank(self.bank)
        var rules = LaneRules(cooldownAfterSuccess: 0, cooldownAfterFailure: 0)
        rules.hasRelayOut = true
        rules.onFire = .release(.out)
        let lane = LaneRunner(name: "main", rules: rules, lines: LaneLines(relay: "in", relayOut: "out"), bank: bank,
                              events: EventHub(clock: SystemClock(directory: nil)), log: logs.log("lines"), onFailure: {})
        let reservation = lane.reserve(.in, for: .nfc, at: now)
        #expect(reservation.condition == .clear)
        let opened = lane.open(reservation, for: GrantIdentity(outcome: 1), at: now)
        #expect(!opened)
        lane.input(InputChange(.fire, .active), at: now)
        bank.lies.withLock { $0 = false }
        lane.advance(to: now)
        #expect(energised == ["out"])
        #expect(!overlap.isSeen)
    }

    @Test func aGrantWhoseRelayFailsIsToldAsNotPassed() {
        let told = Mutex<[LaneAction]>([])
        let lane = LaneRunner(name: "main", rules: LaneRules(), lines: LaneLines(relay: "in"), bank: bank,
                              events: EventHub(clock: SystemClock(directory: nil)), log: logs.log("lines"), onFailure: {},
                              onReport: { action in told.withLock { $0.append(action) } })
        bank.fail("in", with: .failed(doing: "set", errno: 5))
        let reservation = lane.reserve(.in, for: .nfc, at: now)
        #expect(reservation.condition == .clear)
        let opened = lane.open(reservation, for: GrantIdentity(outcome: 7), at: now)
        #expect(!opened)
        #expect(told.withLock { $0 } == [.notPassed(GrantIdentity(outcome: 7), .in)])
    }
}
