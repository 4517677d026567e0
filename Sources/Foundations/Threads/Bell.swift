/// Rings when something has happened to what is made before those who want to hear of it: the journal fails or works again or is to be
/// collected, the clock is believed or no longer.
public final class Bell: Sendable {
    public init() {}

    private let listeners = Mutex<[@Sendable () -> Void]>([])

    /// From now on `listener` is called on the threads of those who ring. It must not wait.
    public func add(_ listener: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.append(listener) }
    }

    /// From now on nobody is told: who listens and who rings let go of each other.
    public func silence() {
        listeners.withLock { $0 = [] }
    }

    /// Tells everybody.
    public func ring() {
        for listener in listeners.withLock({ $0 }) { listener() }
    }
}
