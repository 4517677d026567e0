import CLinux
import Files
import Glibc
import Threads

/// The control sockets: lines in, lines out, events to those who subscribed. It knows its peers by the kernel's
/// word and never holds up whoever broadcasts.
public final class ControlServer: Sendable {
    /// Where it is open, in the order of `ControlPeer.door`.
    public let doors: [ControlDoor]
    private let mailbox: ControlMailbox
    private let work: ControlWork
    private let worker: Worker

    /// Opens the sockets and starts serving. All of them, or none.
    /// - Parameters:
    ///   - mode: permission bits of the sockets' files.
    ///   - loops: those that the server's threads belong to.
    ///   - onFailure: called, on the server's thread, when it cannot go on serving. Never after `stop`.
    ///   - onEviction: called, on the server's thread, once for each client that was cut off because it read nothing. Must not block.
    ///   - handler: runs on the server's thread for every line and answers quickly; what takes longer than a
    ///     few milliseconds it answers with `.work`.
    public convenience init(doors: [ControlDoor], mode: UInt32 = 0o660, limits: ControlLimits = ControlLimits(),
                            notices: ControlNotices, loops: Loops = Loops(),
                            onFailure: @escaping @Sendable (SystemError) -> Void = { _ in },
                            onEviction: @escaping @Sendable (ControlPeer) -> Void = { _ in },
                            handler: @escaping @Sendable (ControlPeer, [UInt8]) -> ControlReply) throws(ControlServerError) {
        try self.init(doors: doors, mode: mode, limits: limits, notices: notices, loops: loops, onFailure: onFailure,
                      onEviction: onEviction, waiting: ControlLoop.makeEpoll, handler: handler)
    }

    /// - Parameter waiting: makes what the loop waits with.
    init(doors: [ControlDoor], mode: UInt32 = 0o660, limits: ControlLimits = ControlLimits(),
         notices: ControlNotices, loops: Loops = Loops(), onFailure: @escaping @Sendable (SystemError) -> Void,
         onEviction: @escaping @Sendable (ControlPeer) -> Void = { _ in },
         waiting: ([FileDescriptor], ControlMailbox) throws(SystemError) -> FileDescriptor,
         handler: @escaping @Sendable (ControlPeer, [UInt8]) -> ControlReply) throws(ControlServerError) {
        self.doors = doors
        let listeners = try Self.open(doors, mode)
        do throws(SystemError) {
            let mailbox = try ControlMailbox(limit: limits.events)
            let epoll = try waiting(listeners, mailbox)
            let work = try ControlWork(mailbox: mailbox, loops: loops)
            self.mailbox = mailbox
            self.work = work
            worker = try Worker(name: "control", loops: loops) { [limits, notices] own in
                let loop = ControlLoop(epoll: epoll, listeners: listeners, mailbox: mailbox, work: work, limits: limits,
                                       notices: notices, loop: own, onEviction: onEviction, handler: handler)
                if let failure = loop.run() { onFailure(failure) }
            }
        } catch {
            Self.remove(doors)
            throw .failed(error)
        }
    }

    private static func open(_ doors: [ControlDoor], _ mode: UInt32) throws(ControlServerError) -> [FileDescriptor] {
        var listeners: [FileDescriptor] = []
        for door in doors {
            do throws(ControlServerError) {
                listeners.append(try ControlSocket.listen(path: door.path, mode: mode, group: door.group))
            } catch {
                remove(doors.prefix(listeners.count))
                throw error
            }
        }
        return listeners
    }

    private static func remove(_ doors: some Sequence<ControlDoor>) {
        for door in doors { _ = unlink(door.path) }
    }

    /// Whether anybody has subscribed: `broadcast` reaches nobody else.
    public var isHeard: Bool { mailbox.isHeard }

    /// Sends a line to every subscriber. Never blocks; who reads too slowly misses lines and is told how many.
    public func broadcast(_ line: [UInt8]) {
        mailbox.leave(event: line)
    }

    /// Sends what has been broadcast as far as clients take it at once, closes every connection and removes
    /// the sockets. Work in progress is waited for. Not from the handler.
    public func stop() {
        mailbox.leaveStop()
        worker.join()
        work.stop()
        Self.remove(doors)
    }
}

/// One way to the gate: a socket in the file system, and the group that may open it besides its owner.
public struct ControlDoor: Hashable, Sendable {
    /// The socket's path.
    public let path: String
    /// The group the file is given to; nil leaves it as it is.
    public let group: String?

    /// A door at `path`.
    public init(path: String, group: String? = nil) {
        self.path = path
        self.group = group
    }
}

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
