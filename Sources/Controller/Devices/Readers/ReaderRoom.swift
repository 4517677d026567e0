import Threads

/// What the threads of this room share, and the way news leave it.
///
/// Any of them calls. `monitor` guards what is known of readers, `published` what was told of them last. `published` comes first, then
/// `monitor`, then the lock of a link; nobody outside of the room is called under one of them.
final class ReaderRoom: Sendable {
    let monitor: Monitor<ReadersState>
    let names: [ReaderName]
    /// Those of the readers whose USB port may be switched off and on.
    let ports: [ReaderName: any ReaderPort]
    let onPresentation: @Sendable (ReaderName, any Link) -> PresentationDisposition
    let onUIDOnlyCard: @Sendable (ReaderName, [UInt8]) -> PresentationDisposition
    private let news: ReaderNews
    private let onNote: @Sendable (ReaderName?, ReaderNote) -> Void
    /// What was told last. Its lock is held until news have their place, so that they arrive in their order.
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
        self.news = ReaderNews(onChange)
        self.onNote = onNote
        self.published = Mutex(bindings.map { _ in nil })
    }

    var isStopping: Bool { monitor.withLock(\.isStopping) }

    /// Tells what is different from what was told last; returns when it was told.
    func publish() {
        published.withLock { published in
            let states = monitor.withLock { $0.readerStates(at: MonotonicTime.milliseconds) }
            for (index, state) in states.enumerated() {
                guard let state, !Self.isSameNews(published[index], state) else { continue }
                published[index] = state
                news.put(names[index], state)
            }
        }
        news.notify()
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

extension ReaderRoom {
    /// Switches the port of a reader that is stuck, if it is time: its own thread is with the driver. What is unplugged ends a driver's call.
    func switchPort() {
        guard let index = monitor.withLock({ $0.nextPort(at: MonotonicTime.milliseconds) }) else { return }
        noteRecovery(names[index], .reauthorise)
        reauthorise(names[index])
        monitor.change { $0.slots[index].ladder.done(.reauthorise, at: MonotonicTime.milliseconds) }
    }

    func reauthorise(_ reader: ReaderName) {
        guard let port = ports[reader] else { return }
        do throws(LinkFault) {
            try Loop.outside(.recovery) { () throws(LinkFault) in try port.reauthorise() }
        } catch {
            note(reader, error.code, error.message)
        }
    }

    func noteRecovery(_ reader: ReaderName, _ rung: RecoveryRung) {
        note(reader, "reader-recovery", "To bring the reader back, \(rung.sentence).")
    }
}

/// Something an operator may want to find in the log; nothing that anybody must act upon.
public struct ReaderNote: Hashable, Sendable {
    /// Stable, for operators to search for.
    public let code: String
    public let message: String

    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}

/// What shall happen to the phone whose presentation just ended, as long as it stays in the field.
public enum PresentationDisposition: Hashable, Sendable {
    /// It had its result. It is not run again until it was away for 300 ms; a card left lying is
    /// read once and then ignored (T9). Whoever comes before that is run at once, marked as one that may be the same.
    case done
    /// Run it again after that time without its being lifted (a cooldown that it ran into). If it
    /// is taken away and presented again before, it runs at once.
    case again(afterMilliseconds: Int64)
    /// It broke off before there was a result, as happens at the edge of the field. It is run again
    /// as soon as possible, also when it comes back within 300 ms; after three such attempts in
    /// a row it is treated as `done`.
    case interrupted
}
