import Threads

/// Rings when the journal fails or works again. It is made before the journal is opened, and those who hear it are
/// made after.
final class JournalBell: Sendable {
    private let listeners = Mutex<[@Sendable () -> Void]>([])

    /// From now on `listener` is called on the journal's threads. It must not wait.
    func add(_ listener: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.append(listener) }
    }

    /// Tells everybody.
    func ring() {
        for listener in listeners.withLock({ $0 }) { listener() }
    }
}
