import ReaderProtocol
import Threads

/// A PN532 of a gate: its thread, and what others may know of it.
///
/// Its thread tells, any other may ask or stop. `shared` guards what is known, `worker` the thread; nothing is called under them.
final class ChipReader: Sendable {
    struct Standing: Sendable {
        /// Nil before anybody has looked into its field.
        var state: ReaderState?
        var activity = ReaderActivity.idle
        var recovery = RecoveryCounts()
        fileprivate var link: ChipLink?
        fileprivate var isStopping = false
    }

    let binding: ChipReaderBinding
    let bell: ChipBell
    private let calls: ReaderCalls
    private let shared: Mutex<Standing>
    private let worker = Mutex<Worker?>(nil)

    /// - Parameter counts: the steps that were taken to bring it back when it had other settings.
    init(_ binding: ChipReaderBinding, calls: ReaderCalls, counts: RecoveryCounts = RecoveryCounts()) throws(SystemError) {
        self.binding = binding
        self.calls = calls
        shared = Mutex(Standing(recovery: counts))
        bell = try ChipBell()
    }

    /// Starts the thread. Once; what was stopped stays stopped.
    func start(_ loops: Loops) throws(ReaderThreadError) {
        let thread = try Worker(reader: "nfc-\(binding.name)", loops: loops) { [self] loop in
            ChipReaderServer(self).run(loop)
        }
        worker.withLock { $0 = thread }
    }

    /// Ends the link that there is, and asks the thread to end.
    func stop() {
        let link = shared.withLock { shared in
            shared.isStopping = true
            return shared.link
        }
        link?.invalidate()
        bell.ring()
    }

    /// The thread, once it was started.
    var thread: Worker? { worker.withLock { $0 } }

    var standing: Standing { shared.withLock { $0 } }

    // The thread --------------------------------------------------------------------------------

    var isStopping: Bool { shared.withLock(\.isStopping) }

    func turn(to activity: ReaderActivity) {
        shared.withLock { $0.activity = activity }
    }

    func note(_ note: ReaderNote) { calls.onNote(binding.name, note) }

    /// Tells what is different from what was told last.
    func publish(_ state: ReaderState?, _ recovery: RecoveryCounts) {
        let before = shared.withLock { shared in
            defer { (shared.state, shared.recovery) = (state, recovery) }
            return shared.state
        }
        guard let state, before.map({ !Self.isSameNews($0, state) }) ?? true else { return }
        calls.onChange(binding.name, state)
    }

    /// Holds a presentation.
    func present(_ link: ChipLink) -> PresentationDisposition {
        let isWelcome = shared.withLock { shared in
            (shared.link, shared.activity) = (link, .conversing(since: MonotonicTime.milliseconds))
            return !shared.isStopping
        }
        defer {
            link.invalidate()
            shared.withLock { ($0.link, $0.activity) = (nil, .idle) }
        }
        return isWelcome ? calls.onPresentation(binding.name, link) : .done
    }

    /// Tells of a UID-only card.
    func present(card number: [UInt8]) -> PresentationDisposition {
        turn(to: .conversing(since: MonotonicTime.milliseconds))
        defer { turn(to: .idle) }
        return isStopping ? .done : calls.onUIDOnlyCard(binding.name, number)
    }

    /// The next step towards the same end is no news.
    private static func isSameNews(_ told: ReaderState, _ state: ReaderState) -> Bool {
        if case .recovering(let before, _, _) = told, case .recovering(let fault, _, _) = state { return before == fault }
        return told == state
    }
}

/// One of our readers that is a PN532, and what there is to bring it back (T3, O5).
public struct ChipReaderBinding: Sendable {
    /// Our name.
    public let name: ReaderName
    /// The socket of the program that drives it.
    public let socket: String
    /// What that program is told.
    public let setup: ReaderSetup
    /// The chip's reset line, where one is wired.
    public let resetLine: (any ResetLine)?
    /// The USB port that it hangs on, where it may be shut.
    public let port: (any ReaderPort)?

    public init(name: ReaderName, socket: String, setup: ReaderSetup, resetLine: (any ResetLine)? = nil, port: (any ReaderPort)? = nil) {
        self.name = name
        self.socket = socket
        self.setup = setup
        self.resetLine = resetLine
        self.port = port
    }
}

extension RecoveryMeans {
    init(_ binding: ChipReaderBinding) {
        self.init(hasResetLine: binding.resetLine != nil, hasPort: binding.port != nil)
    }
}
