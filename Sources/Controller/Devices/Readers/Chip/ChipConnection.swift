import CLinux
import Encoding
import Files
import Glibc
import ReaderProtocol
import Threads

/// A connection to the program that drives a PN532. For one thread. Nothing here waits.
final class ChipConnection {
    /// Why there will be no more reports.
    enum End: Error {
        /// The program has ended it.
        case closed
        /// What came is no report.
        case refused(String)
    }

    private let socket: FileDescriptor
    private var reader = ReaderFrameReader()
    private var piece = [UInt8](repeating: 0, count: 4_096)

    /// Connects. systemd has the socket, so that it takes us in before the program runs.
    init(path: String) throws(SystemError) {
        socket = FileDescriptor(owning: try SystemError.check(clinux_unix_socket(Int32(CLINUX_STREAM), 0), "socket"))
        _ = try SystemError.check(clinux_unix_connect(socket.raw, path), "connect \(path)")
    }

    /// Readable when something has come.
    var descriptor: Int32 { socket.raw }

    /// - Throws: also where the program does not read, so that the frame finds no room.
    func send(_ order: ReaderOrder) throws(SystemError) {
        let bytes = ReaderFrame.order(order).bytes
        let count = clinux_send(socket.raw, bytes, bytes.count)
        guard count == bytes.count else { throw SystemError("send to the program of a PN532", count < 0 ? Int32(clamping: count) : EAGAIN) }
    }

    /// What has come; nil when nothing has.
    func receive() throws(End) -> [ReaderReport]? {
        let count = clinux_receive(socket.raw, &piece, piece.count)
        if count == -Int(EAGAIN) { return nil }
        guard count > 0 else { throw .closed }
        do throws(FrameError) {
            return try reports(piece[..<count])
        } catch {
            throw .refused(error.message)
        }
    }

    private func reports(_ bytes: ArraySlice<UInt8>) throws(FrameError) -> [ReaderReport] {
        var rest = bytes
        var reports: [ReaderReport] = []
        while let frame = try reader.next(from: &rest) {
            switch frame {
            case .report(let report): reports.append(report)
            // Nobody gives orders to the gate.
            case .order: throw .kind(frame.bytes[1])
            }
        }
        return reports
    }
}
