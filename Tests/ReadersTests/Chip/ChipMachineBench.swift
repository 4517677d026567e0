import ReaderProtocol
import Testing

@testable import Readers

/// A machine, the time, and what it wanted done. The connection comes about at once, and steps that are not the program's are taken at once.
final class ChipMachineBench {
    var machine: ChipReaderMachine
    /// Monotonic milliseconds.
    var now: Int64 = 100_000
    /// What the machine wanted and the test has not taken yet, without notes.
    private var wanted: [ChipReaderAction] = []
    private(set) var notes: [String] = []
    /// Whether somebody listens at the socket.
    var isListening = true
    /// What the program says of itself four times a second; nil where it is silent.
    var phase: ReaderPhase?
    /// What it says so when it has just begun.
    var firstPhase: ReaderPhase? = .idle
    /// Whether each beat tells of another cycle.
    var isAtWork = true
    /// What stands in the way of the steps that are not the program's.
    var stepFailure: LinkFault?
    /// A presentation is being held.
    private(set) var isServing = false
    private var cycles: UInt32 = 0
    private var faults: UInt32 = 0
    private var nextBeat: Int64 = 100_000

    init(_ means: RecoveryMeans = RecoveryMeans(), uidOnlyCards: Bool = false) throws {
        let setup = try ReaderSetup(
            device: "d", wakeUpFrame: [], cycleMilliseconds: 200, exchangeMilliseconds: 1_600, reportsUIDOnlyCards: uidOnlyCards)
        machine = ChipReaderMachine(setup, means)
    }

    /// One whose chip is open and whose field was found empty.
    static func open(_ means: RecoveryMeans = RecoveryMeans(), uidOnlyCards: Bool = false) throws -> ChipMachineBench {
        let bench = try ChipMachineBench(means, uidOnlyCards: uidOnlyCards)
        bench.begin()
        bench.opens()
        _ = bench.drainWanted()
        return bench
    }

    static func card(_ presentation: UInt32, _ kind: ReportedCard.Kind = .isoDEP, number: [UInt8] = [8, 1, 2, 3]) throws -> ReportedCard {
        try ReportedCard(presentation: presentation, kind: kind, atqa: 4, sak: kind == .isoDEP ? 0x20 : 0, uid: number)
    }

    // What happens ------------------------------------------------------------------------------

    func begin() {
        perform(machine.begin())
        settle()
    }

    /// The chip was opened and its field is empty.
    func opens() {
        send(.state(.open(ChipFirmware("PN532 v1.6"))))
        phase = .polling
        send(.empty)
    }

    func send(_ report: ReaderReport) {
        perform(machine.handle(report, at: now))
        settle()
    }

    func present(_ presentation: UInt32) throws {
        send(.card(try Self.card(presentation)))
        phase = .idle
    }

    func lose(_ fault: ChipFault) {
        perform(machine.disconnected(fault, at: now))
        settle()
    }

    /// The presentation sends a command; what came of the sending.
    func ask(_ apdu: [UInt8] = [0x00, 0xA4, 0x04, 0x00]) -> LinkError? {
        do throws(LinkError) {
            wanted.append(.send(try machine.asks(apdu, at: now)))
            phase = .exchanging
            return nil
        } catch {
            return error
        }
    }

    func answer(_ presentation: UInt32, _ apdu: [UInt8] = [0x90, 0x00]) throws {
        send(.answer(try ReaderAnswer(presentation: presentation, apdu: apdu)))
    }

    func end(_ disposition: PresentationDisposition) {
        isServing = false
        perform(machine.ended(disposition, at: now))
        phase = .holding
        settle()
    }

    /// The chip has failed so often while it was polled.
    func fail(_ times: UInt32) {
        faults += times
    }

    /// The chip fails and is well again after one step, so many times: the next step comes after a pause.
    func failAndComeBack(times: Int) {
        for _ in 0..<times {
            isAtWork = false
            fail(3)
            pass(600)
            isAtWork = true
            opens()
            pass(500)
        }
    }

    // Time --------------------------------------------------------------------------------------

    /// Lets time pass, millisecond by millisecond.
    func pass(_ milliseconds: Int64) {
        for _ in 0..<milliseconds {
            let due = machine.next ?? .max
            now += 1
            let isBeat = now >= nextBeat
            if isBeat { beat() }
            let actions = isServing ? machine.look(at: now) : machine.advance(to: now)
            if !actions.isEmpty, !isBeat, due > now { Issue.record("it would have slept until \(due), and \(now) has \(actions)") }
            perform(actions)
            settle()
        }
    }

    private func beat() {
        nextBeat = now + 250
        guard let phase else { return }
        if isAtWork && phase != .idle { cycles += 1 }
        perform(machine.handle(.beat(ReaderBeat(phase: phase, milliseconds: 0, cycles: cycles, faults: faults)), at: now))
    }

    /// Does what there is to be done now; a machine that never has enough is a finding.
    private func settle() {
        for _ in 0..<10 where !isServing {
            let actions = machine.advance(to: now)
            perform(actions)
            guard actions.isEmpty else { continue }
            if let next = machine.next, next <= now { Issue.record("it wakes at \(next) for nothing") }
            return
        }
        if !isServing { Issue.record("it never becomes idle") }
    }

    private func perform(_ actions: [ChipReaderAction]) {
        for action in actions {
            switch action {
            case .note(let note): notes.append(note.code)
            case .connect:
                wanted.append(action)
                phase = firstPhase
                perform(isListening ? machine.connected(at: now) : machine.disconnected(.programAbsent("nobody"), at: now))
            case .resetLine, .reauthorise:
                wanted.append(action)
                perform(machine.finished(action == .resetLine ? .resetLine : .reauthorise, failure: stepFailure, at: now))
            case .disconnect, .send: wanted.append(action)
            case .serve:
                wanted.append(action)
                isServing = true
            }
        }
    }

    // What came of it ---------------------------------------------------------------------------

    /// What the machine wanted since the last time.
    func drainWanted() -> [ChipReaderAction] {
        defer { wanted = [] }
        return wanted
    }

    /// Lets so much time pass and says what the machine wanted in it.
    func wanted(within milliseconds: Int64) -> [ChipReaderAction] {
        pass(milliseconds)
        return drainWanted()
    }

    /// What the command came to; nil while it is under way.
    func removeResult() -> Result<[UInt8], LinkError>? { machine.removeResult() }

    /// How long it takes until the machine wants something, and what; at most a minute.
    func nextWanted() -> (milliseconds: Int64, actions: [ChipReaderAction]) {
        let start = now
        while wanted.isEmpty, now - start < 60_000 { pass(1) }
        return (now - start, drainWanted())
    }
}
