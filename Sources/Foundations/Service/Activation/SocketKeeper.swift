import CLinux
import Files
import Glibc
import Threads

/// Does for one socket what systemd does for the unit: holds it, starts this program with it for whoever comes, and starts it anew for the
/// next one. For a machine without systemd.
public final class SocketKeeper {
    private let listener: FileDescriptor
    private let signals: FileDescriptor
    private let argument: String?
    private let option: String?
    private var child: pid_t?

    /// A program that cannot live must not keep the processor busy.
    private static let breathMicroseconds: UInt32 = 100_000
    private static let watched: [Int32] = [SIGTERM, SIGINT, SIGCHLD]

    /// - Parameters:
    ///   - path: where the gate connects.
    ///   - argument: what the program is started with.
    ///   - option: what it is started with besides.
    public init(path: String, argument: String? = nil, option: String? = nil) throws(SystemError) {
        self.argument = argument
        self.option = option
        _ = clinux_signals_block(Self.watched, Int32(Self.watched.count))
        listener = try ListeningSocket.open(path: path)
        signals = FileDescriptor(owning: try SystemError.check(clinux_signalfd_create(Self.watched, Int32(Self.watched.count)), "signalfd"))
    }

    /// Until a signal ends it.
    public func run() throws(SystemError) {
        while true {
            // While one serves, the next one waits in the socket.
            let descriptors = child == nil ? [signals.raw, listener.raw] : [signals.raw]
            _ = try SystemError.check(clinux_poll_any(descriptors, Int32(descriptors.count), -1), "wait for the gate")
            while case let signal = clinux_signalfd_next(signals.raw), signal > 0 {
                guard signal == SIGCHLD else { return end() }
                bury()
            }
            if child == nil, clinux_poll(listener.raw, UInt32(CLINUX_READABLE), 0) > 0 { child = try start() }
        }
    }

    private func end() {
        guard let child else { return }
        kill(child, SIGTERM)
        waitpid(child, nil, 0)
    }

    private func bury() {
        var status: Int32 = 0
        guard let child, waitpid(child, &status, WNOHANG) == child else { return }
        self.child = nil
        if status != 0 { usleep(Self.breathMicroseconds) }
    }

    private func start() throws(SystemError) -> pid_t {
        try SystemError.check(clinux_start_again(listener.raw, ListeningSocket.passed, argument, option), "start the program anew")
    }
}
