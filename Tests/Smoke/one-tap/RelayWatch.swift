import ControlProtocol
import Threads

/// How the relay moved, as the gate's events tell it.
final class RelayWatch: Sendable {
    private let moves = Monitor<[Bool]>([])

    /// Listens to the gate.
    @Sendable func handle(_ event: GateEvent) {
        guard event.kind == .relay, let isEnergised = event.fields["energised"]?.bool else { return }
        moves.change { $0.append(isEnergised) }
    }

    /// Waits until the relay has been energised and is de-energised again.
    func waitForPulse() {
        moves.wait { $0.suffix(2) == [true, false] ? () : nil }
    }
}
