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

/// The socket at which the gate connects.
public enum ListeningSocket {
    /// The descriptor at which systemd passes it.
    public static let passed: Int32 = 3

    /// Takes over the socket that was passed to this process; nil where none was.
    public static func adopt() -> FileDescriptor? {
        var isListening: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(passed, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0, isListening != 0 else { return nil }
        _ = fcntl(passed, F_SETFD, FD_CLOEXEC)
        return FileDescriptor(owning: passed)
    }

    /// Opens one in the file system, for its owner only. What lies there from a process that has ended is replaced. It has its name when it
    /// listens: whoever waits for the file is not refused.
    public static func open(path: String) throws(SystemError) -> FileDescriptor {
        let socket = FileDescriptor(owning: try SystemError.check(clinux_unix_socket(Int32(CLINUX_STREAM), 0), "socket"), path: path)
        let unnamed = path + ".new"
        unlink(unnamed)
        // On Linux the file takes the mode of the socket.
        try socket.setMode(0o600)
        _ = try SystemError.check(clinux_unix_bind(socket.raw, unnamed), "bind \(path)")
        guard listen(socket.raw, 4) == 0, rename(unnamed, path) == 0 else { throw SystemError("listen \(path)", errno) }
        return socket
    }

    /// The gate that waits there. Nil when it has gone again, or nobody comes within a second.
    public static func accept(_ listener: FileDescriptor) throws(SystemError) -> FileDescriptor? {
        guard try SystemError.check(clinux_poll(listener.raw, UInt32(CLINUX_READABLE), 1_000), "wait for the gate") > 0 else { return nil }
        let answer = clinux_accept(listener.raw)
        if answer == -EAGAIN || answer == -ECONNABORTED { return nil }
        return FileDescriptor(owning: try SystemError.check(answer, "accept the gate"))
    }
}
