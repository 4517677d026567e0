import CLinux
import Files
import Glibc
import Threads

/// The socket at which the gate connects.
public enum ListeningSocket {
    /// The descriptor at which systemd passes it.
    public static let passed: Int32 = 3

    /// Takes over the socket that was passed to this process; nil where none was.
    public static func takeOver() -> FileDescriptor? {
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
