import CLinux
import Files
import Glibc
import ReaderProtocol
import Threads

/// The thread of the connection: it hears the gate, says that the program lives, and never waits for the chip. So the end of the
/// connection is seen whatever libnfc is doing.
final class WireThread {
    private let socket: ReportSocket
    private let stop: FileDescriptor
    private let desk: ChipDesk
    private let epoll: FileDescriptor
    private let onRound: () -> Void
    private var stream = OrderStream()
    private var piece = [UInt8](repeating: 0, count: ReaderFrameReader.mostBytes)
    /// When the next sign of life is due, in monotonic milliseconds.
    private var beatDue: Int64 = 0

    /// - Parameters:
    ///   - stop: ends the thread when it becomes readable.
    ///   - onRound: called several times in a second.
    init(_ socket: ReportSocket, stop: FileDescriptor, desk: ChipDesk, onRound: @escaping () -> Void) throws(SystemError) {
        (self.socket, self.stop, self.desk, self.onRound) = (socket, stop, desk, onRound)
        epoll = FileDescriptor(owning: try SystemError.check(clinux_epoll_create(), "epoll"))
        for descriptor in [socket.descriptor, stop] {
            _ = try SystemError.check(clinux_epoll_add(epoll.raw, descriptor.raw, UInt32(CLINUX_READABLE)), "epoll")
        }
    }

    /// Until the connection ends, and why it did.
    func run() -> WireEnd {
        do throws(WireEnd) {
            while true { try goRound() }
        } catch {
            return error
        }
    }

    private func goRound() throws(WireEnd) {
        let now = MonotonicTime.milliseconds
        if now >= beatDue {
            socket.send(.beat(desk.position.beat(at: now)))
            beatDue = now + ReaderBeat.everyMilliseconds
        }
        onRound()
        var ready = [clinux_ready](repeating: clinux_ready(), count: 2)
        let count = clinux_epoll_wait(epoll.raw, &ready, Int32(ready.count), Int32(clamping: beatDue - now))
        guard count >= 0 else { throw .system(SystemError("wait for the gate", count)) }
        for one in ready[..<Int(count)] {
            if one.descriptor == stop.raw { throw .asked }
            try hear()
        }
    }

    private func hear() throws(WireEnd) {
        let count = clinux_receive(socket.descriptor.raw, &piece, piece.count)
        if count == -Int(EAGAIN) { return }
        // A gate that was killed resets the connection.
        guard count > 0 else { throw .closed }
        for order in try stream.orders(in: piece[..<count]) {
            guard desk.leave(order) else { throw .flooded }
        }
    }
}
