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
        socket = FileDescriptor(owning: try SystemError.check(Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), "socket"))
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        _ = try SystemError.check(bound, "bind")
        _ = try SystemError.check(listen(socket.raw, 8), "listen")
    }

    /// Its place is free for another one.
    deinit { unlink(path) }
}
