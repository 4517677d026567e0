import CLinux
import ControlProtocol
import Encoding
import Files
import Glibc
import Threads

/// A connection to `tapstile-net`, or to whoever stands in for it. For one thread. Nothing here waits but `wait`.
final class FetchConnection {
    /// Why there will be no more reports.
    enum End: Error {
        /// The program has ended it.
        case closed
        /// What came is no report.
        case broken(FrameError)
    }

    private let socket: FileDescriptor
    private var reader = FetchFrameReader()
    private var piece = [UInt8](repeating: 0, count: FetchFrameReader.mostBytes)
    /// What has come and was not looked at yet.
    private var held: ArraySlice<UInt8> = []

    /// Connects. systemd has the socket, so that it takes us in before the program runs.
    convenience init(path: String) throws(SystemError) {
        let socket = FileDescriptor(owning: try SystemError.check(clinux_unix_socket(Int32(CLINUX_STREAM), 0), "socket"))
        _ = try SystemError.check(clinux_unix_connect(socket.raw, path), "connect \(path)")
        self.init(socket)
    }

    /// Takes over a connected socket.
    init(_ socket: FileDescriptor) { self.socket = socket }

    /// - Throws: also where the program does not read, so that the frame finds no room.
    func send(_ order: FetchOrder) throws(SystemError) {
        let bytes = FetchFrame.order(order).bytes
        let count = clinux_try_send(socket.raw, bytes, bytes.count)
        guard count == bytes.count else { throw SystemError("send to tapstile-net", count < 0 ? Int32(clamping: count) : EAGAIN) }
    }

    /// The next report; nil when none has come.
    func receive() throws(End) -> FetchReport? {
        while true {
            if let report = try nextHeld() { return report }
            // Or the piece would be copied: the empty rest of it still holds it.
            held = []
            let count = clinux_try_receive(socket.raw, &piece, piece.count)
            if count == -Int(EAGAIN) { return nil }
            guard count > 0 else { throw .closed }
            held = piece[..<count]
        }
    }

    private func nextHeld() throws(End) -> FetchReport? {
        let frame: FetchFrame?
        do throws(FrameError) {
            frame = try reader.next(from: &held)
        } catch {
            throw .broken(error)
        }
        switch frame {
        case nil: return nil
        case .report(let report): return report
        // Nobody gives orders to the gate.
        case .order: throw .broken(.body("it is an order"))
        }
    }

    /// Waits until something has come, until that descriptor is readable, or so many milliseconds.
    func wait(or other: Int32, milliseconds: Int32) {
        _ = clinux_poll_any([socket.raw, other], 2, milliseconds)
    }
}
