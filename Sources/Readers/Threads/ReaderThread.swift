import CLinux

/// A thread that may be blocked in a driver for longer than we want to wait for it. Who stops it
/// waits a bounded time for its end and otherwise leaves it behind.
final class ReaderThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private enum Life {
        case running
        case ended
    }

    let name: String
    private let life = Monitor(Life.running)
    private let handle = Monitor<OpaquePointer?>(nil)

    /// Starts the thread. `body` must return some time after it was asked to by its own means.
    init(name: String, body: @escaping @Sendable () -> Void) throws(ReaderThreadError) {
        self.name = name
        let life = self.life
        let context = Unmanaged.passRetained(
            Body {
                body()
                life.change { $0 = .ended }
            })
        var error: Int32 = 0
        let started = clinux_thread_start(
            name, Self.stackBytes,
            { context in
                guard let context else { return }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
            },
            context.toOpaque(), &error)
        guard let started else {
            context.release()
            throw ReaderThreadError(name: name, errno: -error)
        }
        handle.withLock { $0 = started }
    }

    /// Presentations run on these threads: libcrypto and SQLite need some room.
    private static let stackBytes = 1 << 20

    /// Waits for the end of the thread and gives its memory back; false when it still runs then.
    func ends(byMonotonicMilliseconds deadline: Int64) -> Bool {
        let hasEnded = life.wait { life in
            switch life {
            case .ended: .proceed(true)
            case .running: MonotonicTime.milliseconds >= deadline ? .proceed(false) : .wait(until: deadline)
            }
        }
        guard hasEnded else { return false }
        let joinable = handle.withLock { handle in
            defer { handle = nil }
            return handle
        }
        if let joinable { clinux_thread_join(joinable) }
        return true
    }
}
