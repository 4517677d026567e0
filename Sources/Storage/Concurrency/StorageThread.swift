import CLinux

/// A thread of the storage's own, so that no reader's thread ever waits inside SQLite.
final class StorageThread: Sendable {
    /// SQLite's deepest calls need some 100 KiB; the default of 8 MiB would only be reserved for nothing.
    private static let stackBytes = 512 * 1024

    private let thread: Guarded<OpaquePointer?>

    /// Starts it. `body` runs once.
    init(name: String, _ body: @escaping @Sendable () -> Void) throws(StorageError) {
        let context = Unmanaged.passRetained(Body(run: body))
        var error: Int32 = 0
        let started = clinux_thread_start(name, Self.stackBytes, { context in
            guard let context else { return }
            Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        }, context.toOpaque(), &error)
        guard let started else {
            context.release()
            throw StorageError(errno: -error, doing: "start the thread \(name)")
        }
        thread = Guarded(started)
    }

    /// Waits for its end. Later calls return at once.
    func join() {
        let running = thread.withLock { running -> OpaquePointer? in
            defer { running = nil }
            return running
        }
        if let running { clinux_thread_join(running) }
    }

    private final class Body {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
