import Threads

/// The PC/SC readers of a gate (T3): one thread watches all of them, one thread serves each.
///
/// pcscd may be absent, stop and come back, readers may be unplugged and replugged: they are in
/// service again without anybody's help. Nothing here waits by looking again and again, except
/// for pcscd itself, once a second.
///
/// Any thread may ask. `watcher` and `others` guard the threads themselves, and nothing is called under them; what is known of readers
/// lies behind the lock of the room.
public final class PCSCReaders: Sendable {
    /// Called on the reader's own thread for each presentation. It has the link until it returns.
    public typealias OnPresentation = @Sendable (ReaderName, any Link) -> PresentationDisposition
    /// As `GateReaders.OnUIDOnlyCard`.
    public typealias OnUIDOnlyCard = @Sendable (ReaderName, [UInt8]) -> PresentationDisposition
    /// Called from any thread of this room, one call at a time and in order, also once for each
    /// reader at the start. It must return soon and must not call `start` or `stop`.
    public typealias OnChange = @Sendable (ReaderName, ReaderState) -> Void
    /// Called from any thread, for the log. The name is nil when no reader of ours is meant.
    public typealias OnNote = @Sendable (ReaderName?, ReaderNote) -> Void

    private let room: ReaderRoom
    private let bindings: [ReaderBinding]
    private let identifier: ReaderIdentifier
    private let loops: Loops
    private let waiting = WaitingContext()
    private let watcher = Mutex<Worker?>(nil)
    private let others = Mutex<[Worker]>([])

    /// So long `stop` waits for the threads.
    private static let stopMilliseconds: Int64 = 2_000
    private static let cancelMilliseconds: Int64 = 20

    /// - Parameters:
    ///   - ports: those of the readers whose USB port may be switched off and on.
    ///   - loops: those that the threads of this room belong to.
    public init(
        bindings: [ReaderBinding], ports: [ReaderName: any ReaderPort] = [:], loops: Loops = Loops(),
        onPresentation: @escaping OnPresentation, onUIDOnlyCard: @escaping OnUIDOnlyCard = { _, _ in .done }, onChange: @escaping OnChange,
        onNote: @escaping OnNote = { _, _ in }
    ) {
        self.bindings = bindings
        self.loops = loops
        self.room = ReaderRoom(
            bindings: bindings, ports: ports, onPresentation: onPresentation, onUIDOnlyCard: onUIDOnlyCard, onChange: onChange, onNote: onNote)
        self.identifier = ReaderIdentifier(room: room, bindings: bindings)
    }

    /// Starts the threads. Once; what was stopped stays stopped.
    public func start() throws(ReaderThreadError) {
        let room = self.room
        for index in bindings.indices {
            try add("pcsc-\(bindings[index].name)") { loop in
                var server = ReaderServer(room: room, index: index)
                server.run(loop)
            }
        }
        try add("pcsc-supervisor") { loop in
            while room.monitor.waitForStep(loop, { $0.supervise(at: MonotonicTime.milliseconds) }) {
                room.publish()
                room.switchPort()
            }
        }
        let body = ReaderWatcher(room: room, identifier: identifier, waiting: waiting)
        let thread = try Worker(reader: "pcsc-watcher", loops: loops) { body.run($0) }
        watcher.withLock { $0 = thread }
    }

    /// Ends every link and every thread within about two seconds. A thread whose call is still with the
    /// driver is left behind, with a note: it ends when the driver gives up.
    public func stop() {
        room.monitor.change { $0.stop() }
        let deadline = MonotonicTime.milliseconds + Self.stopMilliseconds
        if let watcher = watcher.withLock({ $0 }) { end(watcher, by: deadline) }
        for thread in others.withLock(\.self) + identifier.running where !thread.ends(byMonotonicMilliseconds: deadline) {
            noteLeftBehind(thread)
        }
    }

    /// What that reader is good for now; nil when there is no such binding, and in the moment before anybody has
    /// looked into the field of a reader that was just plugged in.
    public func state(of name: ReaderName) -> ReaderState? {
        room.monitor.withLock { state in
            guard let index = state.slots.firstIndex(where: { $0.binding.name == name }) else { return nil }
            return state.readerStates(at: MonotonicTime.milliseconds)[index]
        }
    }

    /// What that reader's thread does now; nil when there is no such binding.
    public func activity(of name: ReaderName) -> ReaderActivity? {
        room.monitor.withLock { state in state.slots.first { $0.binding.name == name }?.activity }
    }

    /// How often which step was taken to bring that reader back; nil when there is no such binding.
    public func recovery(of name: ReaderName) -> RecoveryCounts? {
        room.monitor.withLock { state in state.slots.first { $0.binding.name == name }?.ladder.counts }
    }

    /// Every reader that is plugged in, bound or not.
    public var attached: [AttachedReader] {
        room.monitor.withLock(\.attached)
    }

    private func add(_ name: String, _ body: @escaping @Sendable (Loop) -> Void) throws(ReaderThreadError) {
        let thread = try Worker(reader: name, loops: loops, body: body)
        others.withLock { $0.append(thread) }
    }

    private func end(_ watcher: Worker, by deadline: Int64) {
        while MonotonicTime.milliseconds < deadline {
            waiting.cancel()
            let soon = MonotonicTime.milliseconds + Self.cancelMilliseconds
            if watcher.ends(byMonotonicMilliseconds: soon) { return }
        }
        noteLeftBehind(watcher)
    }

    private func noteLeftBehind(_ thread: Worker) {
        room.note(
            nil, "reader-thread-left-behind",
            "The thread \(thread.name) waits for a driver and could not be ended. It ends when the driver gives up.")
    }
}
