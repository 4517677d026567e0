import CLinux
import Files
import Gate
import Glibc
import Threads

/// A folder that somebody brings, such as a stick (S6): the connection to whoever reads it and answers for its files as `tapstile-net` does, and who
/// brought it. The gate opens no path of anybody's.
package struct FolderVisit: Sendable {
    private let socket: FileDescriptor
    /// Who asked over the control socket.
    let requester: Requester?

    /// - Parameter descriptor: a connected stream socket of this machine; it stays the caller's.
    /// - Returns: nil for anything else: a socket of the network must not reach the gate by this way either.
    package init?(descriptor: Int32, by requester: Requester?) throws(SystemError) {
        guard clinux_is_unix_stream(descriptor) != 0 else { return nil }
        self.requester = requester
        socket = try Self.copy(of: descriptor)
    }

    private static func copy(of descriptor: Int32) throws(SystemError) -> FileDescriptor {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError("take a connection", errno) }
        return FileDescriptor(owning: copy)
    }

    /// Whether nobody is at its other end any more.
    var hasEnded: Bool {
        let events = clinux_poll(socket.raw, UInt32(CLINUX_READABLE), 0)
        return events > 0 && UInt32(events) & UInt32(CLINUX_HUNG_UP) != 0
    }

    /// The connection, for one run.
    func connect() throws(SystemError) -> FetchConnection { FetchConnection(try Self.copy(of: socket.raw)) }
}
