import CLinux

/// A named thread with an end one can wait for. Devices block, so each has a thread of its own.
public final class Worker: Sendable {
    /// Small stacks keep a gate with a dozen threads small; the deepest call (a CBOR item nested 16 deep,
    /// verified by libcrypto) stays far below it.
    public static let defaultStackBytes = 512 * 1024

    /// The name it was started with.
    public let name: String
    private let thread: Handle
    private let hasReturned: Monitor<Bool>

    /// Starts the thread.
    /// - Parameters:
    ///   - name: what `top -H` shows; the first 15 bytes count.
    ///   - stackBytes: at least 16 KiB, a multiple of the page size.
    ///   - body: ends by itself; nothing here can stop it.
    public init(name: String, stackBytes: Int = Worker.defaultStackBytes,
                body: @escaping @Sendable () -> Void) throws(SystemError) {
        let hasReturned = Monitor(false)
        let context = Unmanaged.passRetained(Body(run: body, hasReturned: hasReturned))
        var error: Int32 = 0
        let started = clinux_thread_start(name, stackBytes, { pointer in
            guard let pointer else { return }
            let body = Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue()
            body.run()
            body.hasReturned.change { $0 = true }
        }, context.toOpaque(), &error)
        guard let started else {
            context.release()
            throw SystemError("start thread \(name)", error)
        }
        self.name = name
        self.hasReturned = hasReturned
        thread = Handle(pointer: started)
    }

    /// Waits for the thread's end. Later calls return at once, and so does a call from the thread itself.
    public func join() {
        thread.join()
    }

    /// Waits for the end of a thread that may be blocked in a driver for longer than anybody wants to
    /// wait. False when it still runs at that time: it may be asked again, or left behind.
    public func ends(byMonotonicMilliseconds deadline: Int64) -> Bool {
        let end = MonotonicTime.nanoseconds(atMilliseconds: deadline)
        guard hasReturned.wait(untilNanoseconds: end, { $0 ? () : nil }) != nil else { return false }
        // What is left of it takes no time.
        thread.join()
        return true
    }

    /// True on the worker's own thread.
    public var isCurrent: Bool { thread.isCurrent }

    /// Sends a signal to this thread alone.
    public func send(signal: Int32) { thread.send(signal: signal) }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        let hasReturned: Monitor<Bool>

        init(run: @escaping @Sendable () -> Void, hasReturned: Monitor<Bool>) {
            self.run = run
            self.hasReturned = hasReturned
        }
    }

    /// The C thread: joined at most once, whoever asks and however often.
    private final class Handle: @unchecked Sendable { // the C handle may be used from any thread
        private let pointer: OpaquePointer
        private let joined = Monitor(Stage.running)

        private enum Stage: Sendable { case running, joining, joined }

        init(pointer: OpaquePointer) { self.pointer = pointer }

        deinit { clinux_thread_release(pointer, joined.withLock { $0 == .joined } ? 1 : 0) }

        // A number freed by a thread that has ended may be given to the next one.
        var isCurrent: Bool {
            joined.withLock { $0 != .joined && clinux_thread_is_current(pointer) != 0 }
        }

        func send(signal: Int32) {
            joined.withLock { if $0 == .running { _ = clinux_thread_signal(pointer, signal) } }
        }

        func join() {
            if isCurrent { return }
            let mine = joined.withLock { stage in
                defer { if stage == .running { stage = .joining } }
                return stage == .running
            }
            if mine {
                clinux_thread_join(pointer)
                joined.change { $0 = .joined }
            } else {
                joined.wait { $0 == .joined ? () : nil }
            }
        }
    }
}

extension Worker {
    /// Starts a thread that is one of `loops` until its body returns. The body gets the loop to declare with.
    public convenience init(name: String, stackBytes: Int = Worker.defaultStackBytes, loops: Loops,
                            body: @escaping @Sendable (Loop) -> Void) throws(SystemError) {
        // Before the thread: one that never gets to run is missed too.
        let loop = loops.add(name)
        do throws(SystemError) {
            try self.init(name: name, stackBytes: stackBytes) {
                loop.carry(body)
                loops.remove(loop)
            }
        } catch {
            loops.remove(loop)
            throw error
        }
    }
}

/// Every loop of a program: threads that go round as long as it serves. Whoever watches over them looks here.
public final class Loops: Sendable {
    /// Milliseconds within which our own code comes round.
    public let limit: Int64
    private let onRound: (@Sendable (String) -> Void)?
    private let loops = Mutex<[ObjectIdentifier: Loop]>([:])

    /// - Parameters:
    ///   - limit: milliseconds within which our own code comes round.
    ///   - onRound: called by every loop on its own thread each time that it comes round or wakes, with its name.
    ///     For tests: who does not return hangs the loop.
    public init(limit: Int64 = 1250, onRound: (@Sendable (String) -> Void)? = nil) {
        self.limit = limit
        self.onRound = onRound
    }

    /// What every loop is in, by name.
    public var states: [(name: String, state: LoopState)] {
        loops.withLock { Array($0.values) }.map { ($0.name, $0.state) }.sorted { $0.name < $1.name }
    }

    /// Twice within the limit a loop that waits says so.
    func add(_ name: String) -> Loop {
        let loop = Loop(name: name, round: max(1, limit / 2), onRound: onRound)
        loops.withLock { $0[ObjectIdentifier(loop)] = loop }
        return loop
    }

    func remove(_ loop: Loop) {
        loops.withLock { $0[ObjectIdentifier(loop)] = nil }
    }
}
