import PhoneProtocol
import Readers
import Threads
import VirtualPhone

/// Taps over the virtual reader, each followed by its bare loop, on the reader's own thread.
final class ShareRounds: Sendable {
    /// One tap and its bare loop, in nanoseconds from the moment the card was connected.
    struct Round: Sendable {
        let tap: Int64
        /// Until the relay line was written.
        let relay: Int64
        /// What the gate waited for the journal.
        let waited: Int64
        let bare: Int64
        /// Until message_3 was complete.
        let bareToMessage3: Int64
    }

    private struct State: Sendable {
        var rounds: [Round] = []
        var failure: BenchError?
    }

    /// Milliseconds between two taps, so that the reader is idle when one begins.
    private static let pause: Int64 = 2

    private let gate: InProcessGate
    private let count: Int
    private let recorder: TapRecorder
    private let replay: Replay
    private let phone: VirtualCard
    private let copy: VirtualCard
    private let bare: BareReader
    private let state = Monitor(State())

    /// Puts a phone into the first slot and its copy into the second.
    init(gate: InProcessGate, reader: PrivateReader, count: Int) throws {
        let (recorder, replay) = (TapRecorder(gate.byValue[0]), Replay())
        (self.gate, self.count, self.recorder, self.replay) = (gate, count, recorder, replay)
        phone = VirtualCard(port: reader.port, handler: { recorder.receive($0) })
        copy = VirtualCard(port: reader.port + 1, handler: { replay.receive($0) })
        try phone.insert()
        try copy.insert()
        bare = try BareReader("\(BenchSite.readerName) 00 01")
    }

    /// One round. The phone stays where it is: it is served again at once, until there are enough.
    func present(_ link: any Link) -> PresentationDisposition {
        let done = state.withLock { $0.rounds.count }
        guard done < count, state.withLock({ $0.failure == nil }) else { return .done }
        let result = Result { () throws(BenchError) in try round(link, number: done) }
        state.change { state in
            switch result {
            case .success(let round): state.rounds.append(round)
            case .failure(let error): state.failure = error
            }
        }
        return .again(afterMilliseconds: Self.pause)
    }

    /// Waits until there are enough rounds; each must come in its time.
    func wait() throws(BenchError) -> [Round] {
        defer {
            phone.remove()
            copy.remove()
        }
        var done = 0
        while done < count {
            done = try state.wait(for: "round \(done + 1) of \(count)") { state -> Result<Int, BenchError>? in
                if let failure = state.failure { return .failure(failure) }
                return state.rounds.count > done ? .success(state.rounds.count) : nil
            }.get()
        }
        return state.withLock { $0.rounds }
    }

    private func round(_ link: any Link, number: Int) throws(BenchError) -> Round {
        let card = gate.byValue[number % gate.byValue.count]
        recorder.start(card)
        let lane = BenchSite.reader(try gate.nextLane())
        gate.watch.begin()
        let start = Clock.now
        _ = gate.controller.present(link, at: lane)
        let end = Clock.now
        guard let tap = gate.watch.result else { throw BenchError("a tap was not granted: \(String(describing: card.result))") }
        let steps = recorder.steps
        replay.load(steps)
        guard let times = bare.send(steps),
              let message3 = steps.lastIndex(where: { $0.command[1] != PhoneProtocolProfile.outcomeInstruction }),
              let whole = times.last else { throw BenchError("the bare loop was answered otherwise than the tap") }
        return Round(tap: end - start, relay: tap.relayAt - start, waited: tap.waited, bare: whole, bareToMessage3: times[message3])
    }
}
