import Threads

/// The Bluetooth radios of a gate: BlueZ's peripherals, served by one thread (T2, T4, T5).
///
/// bluetoothd may be absent, stop and come back, adapters may be switched off, blocked and replugged: the radios are on the air
/// again without anybody's help. Nothing here waits by looking again and again, except for the bus itself and for an adapter
/// that is off, once a second, and for a bluetoothd that hangs, every 30 s.
///
/// Any thread may call; `stop` any but that of the radios. `worker` guards the thread; everything else is left in the mailbox.
public final class Radios: Sendable {
    /// Where bluetoothd is found.
    public enum Bus: Hashable, Sendable {
        /// The system's bus.
        case system
        /// Another one, as D-Bus writes addresses: `unix:path=…`.
        case address(String)
    }

    /// What a phone may write at once. Longer values are refused before anybody sees them.
    public static let longestValue = 500

    /// For the log, from the radios' thread. The name is nil when no radio of ours is meant.
    public typealias OnNote = @Sendable (String?, RadioNote) -> Void

    private let settings: RadioThreadSettings
    private let loops: Loops
    let mailbox: RadioMailbox
    private let worker = Monitor<Worker?>(nil)

    /// - Parameters:
    ///   - loops: those that the radios' thread belongs to.
    ///   - client: who is served; held as long as the radios run.
    /// - Throws: when the system grants no descriptor.
    public convenience init(bindings: [RadioBinding], bus: Bus = .system, loops: Loops = Loops(), client: any RadioClient,
                            onNote: @escaping OnNote = { _, _ in }) throws(SystemError) {
        try self.init(RadioThreadSettings(bindings: bindings, bus: bus, client: client, onNote: onNote), loops: loops)
    }

    init(_ settings: RadioThreadSettings, loops: Loops = Loops()) throws(SystemError) {
        self.settings = settings
        self.loops = loops
        mailbox = try RadioMailbox()
    }

    /// Starts the thread. Once; what was stopped stays stopped.
    public func start() throws(SystemError) {
        let waiting = try RadioWaiting(bell: mailbox.bell)
        let started = try Worker(name: "radio", stackBytes: RadioThread.stackBytes, loops: loops) { [settings, mailbox] loop in
            RadioThread(settings, waiting: waiting, mailbox: mailbox, loop: loop).run()
        }
        worker.withLock { $0 = started }
    }

    /// Takes the radios off the air, gives phones what they are owed, hangs up on them and ends the thread. Not from the client's calls.
    public func stop() {
        mailbox.leave(.stop)
        worker.withLock { $0 }?.join()
    }

    // From any thread; what the client calls in the middle of its own calls comes to pass after them -------------------------

    /// Measures the strength of a link from now on, at once and then so often (T5).
    public func measure(_ link: RadioLink, everyMilliseconds: Int64) {
        mailbox.leave(.measure(link, everyMilliseconds: everyMilliseconds))
    }

    /// Ends that.
    public func stopMeasuring(_ link: RadioLink) { mailbox.leave(.stopMeasuring(link)) }

    /// Ends a link. It takes bluetoothd about two seconds; `closed` tells when it is done.
    public func drop(_ link: RadioLink) { mailbox.leave(.drop(link)) }

    /// Runs `work` on the radios' thread, and asks the client anew when something is due.
    public func wake(_ work: @escaping @Sendable () -> Void = {}) { mailbox.leave(.run(RadioMailbox.Work(body: work))) }
}

/// Something an operator may want to find in the log; nothing that anybody must act upon.
public struct RadioNote: Hashable, Sendable {
    /// Stable, for operators to search for.
    public let code: String
    public let message: String

    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}
