import Threads

/// The readers of a gate, of every kind (T3).
///
/// Any thread may ask; services and a reload start, stop and replace. `chips` guards which PN532s there are, and nothing is called
/// under it.
public final class GateReaders: Sendable {
    /// Called on the reader's own thread for each presentation. It has the link until it returns.
    public typealias OnPresentation = @Sendable (ReaderName, any Link) -> PresentationDisposition
    /// Called on the reader's own thread for each card without ISO-DEP, with the number that it shows (V8): whatever its length, and nobody's word
    /// for it. A phone or card with ISO-DEP is never told of by its number.
    public typealias OnUIDOnlyCard = @Sendable (ReaderName, [UInt8]) -> PresentationDisposition
    /// Called from any thread of this room, one call at a time and in order for each reader, also once for each at the start. It
    /// must return soon and must not call `start` or `stop`.
    public typealias OnChange = @Sendable (ReaderName, ReaderState) -> Void
    /// Called from any thread, for the log. The name is nil when no reader of ours is meant.
    public typealias OnNote = @Sendable (ReaderName?, ReaderNote) -> Void

    private let pcsc: PCSCReaders?
    private let chips: Mutex<Chips>
    private let calls: ReaderCalls
    private let loops: Loops
    private let onNote: OnNote

    /// The readers that are a PN532. They change one by one.
    private struct Chips {
        var readers: [ChipReader]
        var areStopped = false
    }

    /// So long `stop` waits for the threads.
    private static let stopMilliseconds: Int64 = 2_000

    /// - Parameters:
    ///   - pcsc: the readers behind pcscd. Where there are none and chips are, nobody asks for pcscd.
    ///   - ports: those of the readers behind pcscd whose USB port may be switched off and on.
    ///   - chips: those that are a PN532.
    ///   - loops: those that the threads belong to.
    /// - Throws: when the system has no descriptors left.
    public init(
        pcsc: [ReaderBinding], ports: [ReaderName: any ReaderPort] = [:], chips: [ChipReaderBinding] = [], loops: Loops = Loops(),
        onPresentation: @escaping OnPresentation, onUIDOnlyCard: @escaping OnUIDOnlyCard = { _, _ in .done }, onChange: @escaping OnChange,
        onNote: @escaping OnNote = { _, _ in }
    ) throws(SystemError) {
        // Two kinds of readers tell of themselves on different threads.
        let news = ReaderNews(onChange)
        let notify: OnChange = { reader, state in
            news.put(reader, state)
            news.notify()
        }
        self.loops = loops
        self.onNote = onNote
        if pcsc.isEmpty && !chips.isEmpty {
            self.pcsc = nil
        } else {
            self.pcsc = PCSCReaders(bindings: pcsc, ports: ports, loops: loops, onPresentation: onPresentation, onUIDOnlyCard: onUIDOnlyCard,
                                    onChange: notify, onNote: onNote)
        }
        let calls = ReaderCalls(onPresentation: onPresentation, onUIDOnlyCard: onUIDOnlyCard, onChange: notify, onNote: onNote)
        var readers: [ChipReader] = []
        for binding in chips { readers.append(try ChipReader(binding, calls: calls)) }
        self.chips = Mutex(Chips(readers: readers))
        self.calls = calls
    }

    /// Starts the threads. Once; what was stopped stays stopped.
    public func start() throws(ReaderThreadError) {
        for chip in chips.withLock(\.readers) { try chip.start(loops) }
        try pcsc?.start()
    }

    /// Ends every link and every thread within about two seconds each kind.
    public func stop() {
        let readers = chips.withLock { chips in
            chips.areStopped = true
            return chips.readers
        }
        for chip in readers { chip.stop() }
        pcsc?.stop()
        let deadline = MonotonicTime.milliseconds + Self.stopMilliseconds
        for chip in readers { end(chip, by: deadline) }
    }

    /// Lets the PN532 of that name go on with other settings: its program is ended, and the next one is told them. Other readers are
    /// not disturbed. Takes as long as the thread takes to end, at most two seconds.
    public func replace(_ binding: ChipReaderBinding) {
        guard let old = chip(binding.name) else { return }
        old.stop()
        end(old, by: MonotonicTime.milliseconds + Self.stopMilliseconds)
        do throws(LinkFault) {
            try start(binding, counts: old.standing.recovery)
        } catch {
            calls.onChange(binding.name, .failed(error))
        }
    }

    private func start(_ binding: ChipReaderBinding, counts: RecoveryCounts) throws(LinkFault) {
        let reader: ChipReader
        do throws(SystemError) {
            reader = try ChipReader(binding, calls: calls, counts: counts)
        } catch {
            throw LinkFault(code: error.code, message: error.message)
        }
        let isWanted = chips.withLock { chips in
            guard !chips.areStopped, let index = chips.readers.firstIndex(where: { $0.binding.name == binding.name }) else { return false }
            chips.readers[index] = reader
            return true
        }
        guard isWanted else { return }
        do throws(ReaderThreadError) {
            try reader.start(loops)
        } catch {
            throw LinkFault(code: error.code, message: error.message)
        }
    }

    private func end(_ chip: ChipReader, by deadline: Int64) {
        guard let thread = chip.thread, !Loop.outside(.ending, { thread.ends(byMonotonicMilliseconds: deadline) }) else { return }
        onNote(nil, ReaderNote(code: "reader-thread-left-behind", message: "The thread \(thread.name) could not be ended."))
    }

    /// What that reader is good for now; nil when there is no such reader, and before anybody has looked into its field.
    public func state(of name: ReaderName) -> ReaderState? {
        chip(name)?.standing.state ?? pcsc?.state(of: name)
    }

    /// What that reader's thread does now; nil when there is no such reader.
    public func activity(of name: ReaderName) -> ReaderActivity? {
        chip(name)?.standing.activity ?? pcsc?.activity(of: name)
    }

    /// How often which step was taken to bring that reader back; nil when there is no such reader.
    public func recovery(of name: ReaderName) -> RecoveryCounts? {
        chip(name)?.standing.recovery ?? pcsc?.recovery(of: name)
    }

    /// Every PC/SC reader that is plugged in, bound or not.
    public var attached: [AttachedReader] { pcsc?.attached ?? [] }

    private func chip(_ name: ReaderName) -> ChipReader? {
        chips.withLock(\.readers).first { $0.binding.name == name }
    }
}

/// Whom the threads of readers call, of every kind.
struct ReaderCalls: Sendable {
    let onPresentation: GateReaders.OnPresentation
    let onUIDOnlyCard: GateReaders.OnUIDOnlyCard
    let onChange: GateReaders.OnChange
    let onNote: GateReaders.OnNote
}

/// What a reader's thread is doing, for others to see: a call to PC/SC cannot be cancelled, so a
/// deadline is kept by whoever watches this. Times are monotonic milliseconds.
public enum ReaderActivity: Hashable, Sendable {
    /// Waiting for a card, or for one to be taken away.
    case idle
    /// The reader has been asked for a sign of life since then.
    case checking(since: Int64)
    /// SCardConnect has been running since then.
    case connecting(since: Int64)
    /// The presentation has the word (it computes, or waits for the journal).
    case conversing(since: Int64)
    /// SCardTransmit has been running since then.
    case transmitting(since: Int64)
    /// SCardDisconnect has been running since then.
    case disconnecting(since: Int64)

    /// Since when the driver owes an answer; nil when it owes none.
    public var waitingForDriverSince: Int64? {
        switch self {
        case .idle, .conversing: nil
        case .checking(let since), .connecting(let since), .transmitting(let since), .disconnecting(let since): since
        }
    }
}
