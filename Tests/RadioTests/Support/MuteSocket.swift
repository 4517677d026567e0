import CLinux
import Files
import Glibc
import Threads

/// A Unix socket that takes connections and says nothing.
final class MuteSocket {
    private let path: String
    private let socket: FileDescriptor

    /// - Parameter address: as D-Bus writes it, `unix:path=…`.
    init(_ address: String) throws {
        path = String(address.dropFirst("unix:path=".count))
        socket = FileDescriptor(owning: try SystemError.check(clinux_unix_socket(Int32(CLINUX_STREAM), 1), "socket"))
        _ = try SystemError.check(clinux_unix_bind(socket.raw, path), "bind")
        guard listen(socket.raw, 8) == 0 else { throw SystemError("listen", errno) }
    }

    /// Its place is free for another one.
    deinit { unlink(path) }
}
