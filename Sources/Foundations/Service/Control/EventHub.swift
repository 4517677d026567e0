import ControlProtocol
import Encoding
import Threads

/// Tells whoever listens what happens at the gate. Telling never waits: subscribers have queues of
/// their own, and a slow one loses events, not the gate its pace.
public final class EventHub: Sendable {
    /// Receives every event, on the thread on which it happened. Must not block.
    public typealias Listener = @Sendable (GateEvent) -> Void

    private struct Ear: Sendable {
        let isOpen: @Sendable () -> Bool
        let listener: Listener
    }

    private let clock: SystemClock
    private let ears = Mutex<[Ear]>([])

    /// A hub that stamps events with the time of `clock`.
    public init(clock: SystemClock) {
        self.clock = clock
    }

    /// From now on `listener` receives every event that happens while it listens.
    /// - Parameter isListening: asked at each event; must not block.
    public func add(while isListening: @escaping @Sendable () -> Bool = { true }, _ listener: @escaping Listener) {
        ears.withLock { $0.append(Ear(isOpen: isListening, listener: listener)) }
    }

    /// Tells everybody who listens. `fields` are made for them alone: at most gates nobody does, and a tap waits for nothing.
    public func emit(_ kind: GateEvent.Kind, _ fields: @autoclosure () -> JSONObject) {
        let listening = ears.withLock { $0 }.filter { $0.isOpen() }
        guard !listening.isEmpty else { return }
        let event = GateEvent(kind, time: clock.now().milliseconds, fields: fields())
        for ear in listening { ear.listener(event) }
    }
}
