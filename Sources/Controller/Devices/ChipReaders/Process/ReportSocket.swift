import CLinux
import Files
import Glibc
import ReaderProtocol
import Threads

/// The way to the gate. Any thread may send; nobody ever waits here. A gate that does not read loses its chip.
///
/// `isOpen` is held while a frame is sent, so that no two are mixed.
final class ReportSocket: Sendable {
    let descriptor: FileDescriptor
    private let isOpen = Mutex(true)

    /// - Parameter descriptor: a connected stream socket that does not block.
    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    func send(_ report: ReaderReport) {
        let bytes = ReaderFrame.report(report).bytes
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            let sent = bytes.withUnsafeBytes { clinux_send(descriptor.raw, $0.baseAddress, $0.count) }
            // Part of a frame cannot be taken back. The wire's thread sees the end of the connection.
            guard sent == bytes.count else {
                isOpen = false
                shutdown(descriptor.raw, Int32(SHUT_RDWR))
                return
            }
        }
    }
}
