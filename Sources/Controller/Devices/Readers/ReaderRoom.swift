import Threads

/// What the threads of this room share, and the way news leave it.
final class ReaderRoom: Sendable {
    let monitor: Monitor<ReadersState>
    let names: [ReaderName]
    /// Those of the readers whose USB port may be switched off and on.
    let ports: [ReaderName: any ReaderPort]
    let onPresentation: @Sendable (ReaderName, any Link) -> PresentationDisposition
    let onUIDOnlyCard: @Sendable (ReaderName, [UInt8]) -> PresentationDisposition
    private let onChange: @Sendable (ReaderName, ReaderState) -> Void
    private let onNote: @Sendable (ReaderName?, ReaderNote) -> Void
    /// What was told last. Its lock is held while telling, so that news arrive in their order.
    private let published: Mutex<[ReaderState?]>

    init(
        bindings: [ReaderBinding],
        ports: [ReaderName: any ReaderPort] = [:],
        onPresentation: @escaping @Sendable (ReaderName, any Link) -> PresentationDisposition,
        onUIDOnlyCard: @escaping @Sendable (ReaderName, [UInt8]) -> PresentationDisposition,
        onChange: @escaping @Sendable (ReaderName, ReaderState) -> Void,
        onNote: @escaping @Sendable (ReaderName?, ReaderNote) -> Void
    ) {
        self.monitor = Monitor(ReadersState(bindings: bindings, switchable: Set(ports.keys)))
        self.ports = ports
        self.names = bindings.map(\.name)
        self.onPresentation = onPresentation
        self.onUIDOnlyCard = onUIDOnlyCard
        self.onChange = onChange
        self.onNote = onNote
        self.published = Mutex(bindings.map { _ in nil })
    }

    var isStopping: Bool { monitor.withLock(\.isStopping) }

    /// Tells what is different from what was told last.
    func publish() {
        published.withLock { published in
            let states = monitor.withLock { $0.readerStates(at: MonotonicTime.milliseconds) }
            for (index, state) in states.enumerated() {
                guard let state, !Self.isSameNews(published[index], state) else { continue }
                published[index] = state
                onChange(names[index], state)
            }
        }
    }

    func note(_ reader: ReaderName?, _ code: String, _ message: String) {
        onNote(reader, ReaderNote(code: code, message: message))
    }

    /// Waits that long; less when the room is stopped.
    func pause(milliseconds: Int64) {
        monitor.waitForStep(Self.pause(milliseconds))
    }

    /// The same as a wait of the loop's.
    func pause(_ loop: Loop, milliseconds: Int64) {
        monitor.waitForStep(loop, Self.pause(milliseconds))
    }

    private static func pause(_ milliseconds: Int64) -> (inout ReadersState) -> WaitStep<Void> {
        let end = MonotonicTime.milliseconds + milliseconds
        return { $0.isStopping || MonotonicTime.milliseconds >= end ? .proceed(()) : .wait(until: end) }
    }

    /// A reader that is stuck for longer is no news, nor is a longer silence.
    private static func isSameNews(_ told: ReaderState?, _ state: ReaderState) -> Bool {
        if case .stuck = told, case .stuck = state { return true }
        if case .serviceSilent = told, case .serviceSilent = state { return true }
        return told == state
    }
}
