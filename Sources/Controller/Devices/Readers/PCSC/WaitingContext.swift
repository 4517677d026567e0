import Threads

/// The watcher's context, shared with the thread that stops it.
final class WaitingContext: Sendable {
    private let context = Mutex<PCSCContext?>(nil)

    func set(_ context: PCSCContext) {
        self.context.withLock { $0 = context }
    }

    func clear() {
        context.withLock { $0 = nil }
    }

    /// Wakes the watcher if it waits at this moment. The library forgets a cancel that comes a
    /// moment too early: repeat it until the watcher has ended.
    func cancel() {
        let context = self.context.withLock(\.self)
        context?.cancel()
    }
}
