import Controller
import Synchronization

/// When things happened in the tap that runs at this moment. One tap at a time.
final class TapWatch: Sendable {
    private let lastByte = Atomic<Int64>(0)
    private let relay = Atomic<Int64>(0)
    private let waited = Atomic<Int64>(0)
    private let granted = Atomic<Bool>(false)
    private let relayCount = Atomic<Int>(0)
    private let grantCount = Atomic<Int>(0)

    /// How often a relay was energised so far.
    var relays: Int { relayCount.load(ordering: .relaxed) }

    /// How many taps were granted so far.
    var grants: Int { grantCount.load(ordering: .relaxed) }

    /// A tap begins.
    func begin() {
        relay.store(0, ordering: .relaxed)
        waited.store(0, ordering: .relaxed)
        granted.store(false, ordering: .relaxed)
    }

    /// The phone has sent the last byte of a response. Until the relay has moved, the latest counts.
    func noteResponse() {
        if relay.load(ordering: .relaxed) == 0 { lastByte.store(Clock.now, ordering: .relaxed) }
    }

    /// The relay line was written.
    func noteRelay() {
        relay.store(Clock.now, ordering: .relaxed)
        relayCount.add(1, ordering: .relaxed)
    }

    /// Hears from now on what the gate tells of each tap.
    func follow(_ controller: Controller) {
        controller.listen { [self] event in
            guard event.kind == .result else { return }
            noteResult(granted: event.fields["result"]?.string == "granted",
                       waitedMicroseconds: event.fields["timing"]?["journal"]?.integer ?? 0)
        }
    }

    /// The gate has told the result: how long it waited for the journal.
    private func noteResult(granted: Bool, waitedMicroseconds: Int64) {
        self.granted.store(granted, ordering: .relaxed)
        if granted { grantCount.add(1, ordering: .relaxed) }
        waited.store(waitedMicroseconds * 1000, ordering: .relaxed)
    }

    /// What a tap took, in nanoseconds.
    struct Result: Sendable {
        /// From the last byte to the write of the relay line.
        let decision: Int64
        /// What of that was waited for the journal.
        let waited: Int64
        /// When the relay line was written, on the monotonic clock.
        let relayAt: Int64
    }

    /// The finished tap; nil when it was not granted or moved no relay.
    var result: Result? {
        let moved = relay.load(ordering: .relaxed)
        guard moved != 0, granted.load(ordering: .relaxed) else { return nil }
        return Result(decision: moved - lastByte.load(ordering: .relaxed), waited: waited.load(ordering: .relaxed), relayAt: moved)
    }
}
