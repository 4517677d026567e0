import Threads

/// The readers of a gate, of every kind (T3).
public final class GateReaders: Sendable {
    /// Called on the reader's own thread for each presentation. It has the link until it returns.
    public typealias OnPresentation = @Sendable (ReaderName, any Link) -> PresentationDisposition
    /// Called from any thread of this room, one call at a time and in order for each reader, also once for each at the start. It
    /// must return soon and must not call `start` or `stop`.
    public typealias OnChange = @Sendable (ReaderName, ReaderState) -> Void
    /// Called from any thread, for the log. The name is nil when no reader of ours is meant.
    public typealias OnNote = @Sendable (ReaderName?, ReaderNote) -> Void

    private let pcsc: PCSCReaders?
    private let chips: [ChipReader]
    private let loops: Loops
    private let onNote: OnNote

    /// So long `stop` waits for the threads.
    private static let stopMilliseconds: Int64 = 2_000

    /// - Parameters:
    ///   - pcsc: the readers behind pcscd. Where there are none and chips are, nobody asks for pcscd.
    ///   - chips: those that are a PN532.
    ///   - loops: those that the threads belong to.
    /// - Throws: when the system has no descriptors left.
    public init(
        pcsc: [ReaderBinding], chips: [ChipReaderBinding] = [], loops: Loops = Loops(), onPresentation: @escaping OnPresentation,
        onChange: @escaping OnChange, onNote: @escaping OnNote = { _, _ in }
    ) throws(SystemError) {
        // Two kinds of readers tell of themselves on different threads.
        let telling = Monitor(())
        let tell: OnChange = { reader, state in telling.withLock { _ in onChange(reader, state) } }
        self.loops = loops
        self.onNote = onNote
        if pcsc.isEmpty && !chips.isEmpty {
            self.pcsc = nil
        } else {
            self.pcsc = PCSCReaders(bindings: pcsc, loops: loops, onPresentation: onPresentation, onChange: tell, onNote: onNote)
        }
        let calls = ReaderCalls(onPresentation: onPresentation, onChange: tell, onNote: onNote)
        var readers: [ChipReader] = []
        for binding in chips { readers.append(try ChipReader(binding, calls: calls)) }
        self.chips = readers
    }

    /// Starts the threads. Once; what was stopped stays stopped.
    public func start() throws(ReaderThreadError) {
        for chip in chips { try chip.start(loops) }
        try pcsc?.start()
    }

    /// Ends every link and every thread within about two seconds each kind.
    public func stop() {
        for chip in chips { chip.stop() }
        pcsc?.stop()
        let deadline = MonotonicTime.milliseconds + Self.stopMilliseconds
        for thread in chips.compactMap(\.thread) where !thread.ends(byMonotonicMilliseconds: deadline) {
            onNote(nil, ReaderNote(code: "reader-thread-left-behind", message: "The thread \(thread.name) could not be ended."))
        }
    }

    /// What that reader is good for now; nil when there is no such reader, and before anybody has looked into its field.
    public func state(of name: ReaderName) -> ReaderState? {
        chip(name)?.standing.state ?? pcsc?.state(of: name)
    }

    /// What that reader's thread does now; nil when there is no such reader.
    public func activity(of name: ReaderName) -> ReaderActivity? {
        chip(name)?.standing.activity ?? pcsc?.activity(of: name)
    }

    /// How often which step was taken to bring that reader back; nil where there are no such steps.
    public func recovery(of name: ReaderName) -> RecoveryCounts? {
        chip(name)?.standing.recovery
    }

    /// Every PC/SC reader that is plugged in, bound or not.
    public var attached: [AttachedReader] { pcsc?.attached ?? [] }

    private func chip(_ name: ReaderName) -> ChipReader? {
        chips.first { $0.binding.name == name }
    }
}
