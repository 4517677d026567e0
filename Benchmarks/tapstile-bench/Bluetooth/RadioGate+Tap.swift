import VirtualPhone

extension RadioGate {
    /// How long a phone takes.
    enum Pace {
        /// It asks as soon as it has computed.
        case instant
        /// Each request waits for the link's next turn, and a phone's processor needs its time for message_3.
        case phone

        /// The shortest interval between two turns that both systems' phones grant a gate.
        private static let interval: Int64 = 15_000_000

        /// Sleeps until a request begun at `start` would be at the gate.
        func wait(from start: Int64, computing: Int64 = 0) {
            guard self == .phone else { return }
            Clock.sleep(until: start + computing + Self.interval)
        }
    }

    /// What a tap took of the gate's time, in nanoseconds. Nobody's time on the air, and none of the phone's, is in it.
    struct Share {
        /// For the first write: message_2 is ready.
        let firstWrite: Int64
        /// From the write of message_3 to the write of the relay line.
        let decision: Int64
        /// From the first write to the relay: both, and the read between them.
        let whole: Int64
        /// What of the decision was waited for the journal.
        let waited: Int64
        /// What the thread has computed in both writes and the read between them, to the end of the second.
        let computed: Int64
    }

    /// Taps with one phone; every one must be granted.
    func tap(_ identity: PhoneIdentity, pace: Pace = .instant) throws(BenchError) -> Share {
        let benchTap = try connect()
        var phone = BluetoothPhone(identity: identity)
        var turn = Clock.now
        guard case .write(let message1) = phone.start() else { throw BenchError("a phone does not begin") }
        pace.wait(from: turn)
        guard benchTap.write(message1) else { throw BenchError("a gate does not listen") }
        let firstWrite = benchTap.inside
        turn = Clock.now
        pace.wait(from: turn)
        guard case .read = phone.wrote(), let message2 = benchTap.read() else { throw BenchError("a gate has no message_2") }
        turn = Clock.now
        let before = benchTap.inside
        guard case .write(let message3) = phone.received(message2) else {
            throw BenchError("a phone stopped: \(String(describing: phone.result))")
        }
        pace.wait(from: turn, computing: PhoneLink.Pace.computingNanoseconds)
        watch.noteResponse()
        guard benchTap.write(message3) else { throw BenchError("a gate does not listen") }
        let computed = benchTap.computed
        guard let outcome = benchTap.read() else { throw BenchError("a gate has no outcome") }
        _ = phone.received(outcome)
        benchTap.leave()
        guard let result = watch.result else { throw BenchError("a tap was not granted: \(String(describing: phone.result))") }
        return Share(firstWrite: firstWrite, decision: result.decision, whole: before + result.decision, waited: result.waited,
                     computed: computed)
    }
}
