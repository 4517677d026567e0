import Files
import Glibc
import Threads

/// The control socket: lines in, lines out, events to those who subscribed. It knows its peers by the kernel's
/// word and never holds up whoever broadcasts.
public final class ControlServer: Sendable {
    /// The socket's path.
    public let path: String
    private let mailbox: ControlMailbox
    private let work: ControlWork
    private let worker: Worker

    /// Opens the socket and starts serving.
    /// - Parameters:
    ///   - mode: permission bits of the socket's file.
    ///   - group: the group the file is given to; nil leaves it as it is.
    ///   - loops: those that the server's threads belong to.
    ///   - onFailure: called, on the server's thread, when it cannot go on serving. Never after `stop`.
    ///   - handler: runs on the server's thread for every line and answers quickly; what takes longer than a
    ///     few milliseconds it answers with `.work`.
    public convenience init(path: String, mode: UInt32 = 0o660, group: String? = nil, limits: ControlLimits = ControlLimits(),
                            notices: ControlNotices, loops: Loops = Loops(),
                            onFailure: @escaping @Sendable (SystemError) -> Void = { _ in },
                            handler: @escaping @Sendable (ControlPeer, [UInt8]) -> ControlReply) throws(ControlServerError) {
        try self.init(path: path, mode: mode, group: group, limits: limits, notices: notices, loops: loops, onFailure: onFailure,
                      waiting: ControlLoop.makeEpoll, handler: handler)
    }

    /// - Parameter waiting: makes what the loop waits with.
    init(path: String, mode: UInt32 = 0o660, group: String? = nil, limits: ControlLimits = ControlLimits(),
         notices: ControlNotices, loops: Loops = Loops(), onFailure: @escaping @Sendable (SystemError) -> Void,
         waiting: (FileDescriptor, ControlMailbox) throws(SystemError) -> FileDescriptor,
         handler: @escaping @Sendable (ControlPeer, [UInt8]) -> ControlReply) throws(ControlServerError) {
        self.path = path
        let listener = try ControlSocket.listen(path: path, mode: mode, group: group)
        do throws(SystemError) {
            let mailbox = try ControlMailbox(limit: limits.events)
            let epoll = try waiting(listener, mailbox)
            let work = try ControlWork(mailbox: mailbox, loops: loops)
            self.mailbox = mailbox
            self.work = work
            worker = try Worker(name: "control", loops: loops) { [limits, notices] own in
                let loop = ControlLoop(epoll: epoll, listener: listener, mailbox: mailbox, work: work, limits: limits,
                                       notices: notices, loop: own, handler: handler)
                if let failure = loop.run() { onFailure(failure) }
            }
        } catch {
            _ = unlink(path)
            throw .failed(error)
        }
    }

    /// Sends a line to every subscriber. Never blocks; who reads too slowly misses lines and is told how many.
    public func broadcast(_ line: [UInt8]) {
        mailbox.leave(event: line)
    }

    /// Sends what has been broadcast as far as clients take it at once, closes every connection and removes
    /// the socket. Work in progress is waited for. Not from the handler.
    public func stop() {
        mailbox.leaveStop()
        worker.join()
        work.stop()
        _ = unlink(path)
    }
}
