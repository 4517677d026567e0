import CLinux
import Encoding
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
            try receive()
        }
    }

    private func receive() throws(WireEnd) {
        let count = clinux_receive(socket.descriptor.raw, &piece, piece.count)
        if count == -Int(EAGAIN) { return }
        // A gate that was killed resets the connection.
        guard count > 0 else { throw .closed }
        for order in try stream.orders(in: piece[..<count]) {
            guard desk.leave(order) else { throw .flooded }
        }
    }
}

/// Makes orders of the gate's bytes, and sees to it that they are orders, and in their order: the set-up once, and first.
struct OrderStream {
    private var reader = ReaderFrameReader()
    private var isSetUp = false

    /// The orders that these bytes complete.
    /// - Throws: when the gate does not keep to the protocol. Nothing that follows can be read.
    mutating func orders(in bytes: ArraySlice<UInt8>) throws(WireEnd) -> [ReaderOrder] {
        var orders: [ReaderOrder] = []
        var rest = bytes
        while let frame = try next(&rest) {
            guard case .order(let order) = frame, isTimely(order) else { throw .unexpected }
            orders.append(order)
        }
        return orders
    }

    private mutating func next(_ rest: inout ArraySlice<UInt8>) throws(WireEnd) -> ReaderFrame? {
        do throws(FrameError) {
            return try reader.next(from: &rest)
        } catch {
            throw .broken(error)
        }
    }

    private mutating func isTimely(_ order: ReaderOrder) -> Bool {
        switch order {
        case .setUp:
            defer { isSetUp = true }
            return !isSetUp
        case .command, .end, .abort, .reopen: return isSetUp
        }
    }
}

/// Why a connection of the gate has ended.
public enum WireEnd: Error, Hashable, Sendable {
    /// The gate hung up.
    case closed
    /// A signal asked for it.
    case asked
    /// The gate said what is no frame.
    case broken(FrameError)
    /// The gate said what it has no right to say, or not then.
    case unexpected
    /// The gate said more than it waited for.
    case flooded
    /// The system would not go on.
    case system(SystemError)

    /// Stable, for operators to search for; nil where nothing is wrong.
    public var code: String? {
        switch self {
        case .closed, .asked: nil
        case .broken, .unexpected, .flooded: "nfc-protocol"
        case .system(let error): error.code
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .closed: "The gate has hung up."
        case .asked: "It was asked to end."
        case .broken(let error): error.message
        case .unexpected: "The gate said something out of its turn."
        case .flooded: "The gate said more than it waited for."
        case .system(let error): error.message
        }
    }
}
