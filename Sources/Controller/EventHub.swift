import ControlProtocol
import Encoding
import Service
import Threads

/// Tells whoever listens what happens at the gate. Telling never waits: subscribers have queues of
/// their own, and a slow one loses events, not the gate its pace.
public final class EventHub: Sendable {
    /// Receives every event, on the thread on which it happened. Must not block.
    public typealias Listener = @Sendable (GateEvent) -> Void

    private let clock: SystemClock
    private let listeners = Mutex<[Listener]>([])

    /// A hub that stamps events with the time of `clock`.
    public init(clock: SystemClock) {
        self.clock = clock
    }

    /// From now on `listener` receives every event.
    public func add(_ listener: @escaping Listener) {
        listeners.withLock { $0.append(listener) }
    }

    /// Tells everybody.
    public func emit(_ kind: GateEvent.Kind, _ fields: JSONObject) {
        let listening = listeners.withLock { $0 }
        guard !listening.isEmpty else { return }
        let event = GateEvent(kind, time: clock.now().milliseconds, fields: fields)
        for listener in listening { listener(event) }
    }
}
