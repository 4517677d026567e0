import CLinux
import Files
import Glibc
import Threads

/// The listening socket in the file system.
enum ControlSocket {
    /// Opens it. A file left over by a process that ended is replaced; one where somebody answers is not.
    /// Nobody can connect before owner and mode are right.
    static func listen(path: String, mode: UInt32, group: String?) throws(ControlServerError) -> FileDescriptor {
        let groupNumber = try number(ofGroup: group)
        if exists(path) { try removeLeftover(path) }
        do throws(SystemError) {
            let socket = FileDescriptor(owning: try SystemError.check(clinux_unix_socket(Int32(CLINUX_STREAM), 0), "socket"))
            // On Linux the file takes the mode of the socket: it never stands there open to everybody.
            guard fchmod(socket.raw, 0o600) == 0 else { throw SystemError("chmod \(path)", errno) }
            _ = try SystemError.check(clinux_unix_bind(socket.raw, path), "bind \(path)")
            if let groupNumber { try give(path, toGroup: groupNumber) }
            guard chmod(path, mode) == 0 else { throw SystemError("chmod \(path)", errno) }
            guard Glibc.listen(socket.raw, 16) == 0 else { throw SystemError("listen \(path)", errno) }
            return socket
        } catch {
            throw .failed(error)
        }
    }

    /// Asks for a change only where one is needed: the unit forbids the call.
    private static func give(_ path: String, toGroup group: gid_t) throws(SystemError) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { throw SystemError("stat \(path)", errno) }
        guard facts.st_gid != group else { return }
        guard lchown(path, uid_t.max, group) == 0 else { throw SystemError("chgrp \(path)", errno) }
    }

    private static func number(ofGroup name: String?) throws(ControlServerError) -> gid_t? {
        guard let name else { return nil }
        guard let number = gid_t(exactly: clinux_group_id(name)) else { throw .unknownGroup(name: name) }
        return number
    }

    private static func exists(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0
    }

    private static func removeLeftover(_ path: String) throws(ControlServerError) {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        let answer = clinux_unix_socket(Int32(CLINUX_STREAM), 0)
        guard answer >= 0 else { throw .failed(SystemError("socket", answer)) }
        let probe = FileDescriptor(owning: answer)
        // Only a refusal proves that nobody listens; a full queue (EAGAIN) belongs to somebody.
        guard clinux_unix_connect(probe.raw, path) == -ECONNREFUSED else { throw .alreadyServed(path: path) }
        guard unlink(path) == 0 else { throw .failed(SystemError("remove \(path)", errno)) }
    }
}
