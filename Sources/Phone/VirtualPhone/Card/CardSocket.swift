import CLinux
import Glibc
import Threads

/// The TCP connection of one insertion. `close` belongs to the thread that receives; `hangUp` may
/// be called from any thread and wakes it.
final class CardSocket: Sendable {
    private let descriptor: Int32

    /// Connects to the virtual reader on this machine.
    init(port: UInt16) throws(VirtualCardError) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .failed(doing: "Opening a socket", errno: errno) }
        let address = sockaddr_in(loopback: port)
        let connected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            let reason = errno
            Glibc.close(descriptor)
            throw .noReader(port: port, errno: reason)
        }
        self.descriptor = descriptor
        set(Int32(TCP_NODELAY))
    }

    /// The reader's end of a connection that a card has made.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
        set(Int32(TCP_NODELAY))
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Exactly so many bytes; nil when the reader or `hangUp` ended the connection.
    func receive(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let received = bytes.withUnsafeMutableBytes { buffer in
                recv(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, 0)
            }
            if received < 0 && errno == EINTR { continue }
            guard received > 0 else { return nil }
            filled += received
            // The kernel forgets this request with each receive. Without it Nagle on the reader's side
            // and our delayed acknowledgement cost 44 ms for each APDU.
            set(Int32(TCP_QUICKACK))
        }
        return bytes
    }

    /// False when the connection is over.
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { clinux_send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent) }
            if count == Int(-EINTR) { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Waits that long for something to receive. True also when the connection is over.
    func isReadable(within milliseconds: Int) -> Bool {
        let end = MonotonicTime.milliseconds + Int64(milliseconds)
        while true {
            let left = end - MonotonicTime.milliseconds
            guard left > 0 else { return false }
            if clinux_poll(descriptor, UInt32(CLINUX_READABLE), Int32(clamping: left)) > 0 { return true }
        }
    }

    /// Waits that long, or until the connection is over; nil waits for the latter only. True when it still stands.
    func wait(milliseconds: Int?) -> Bool {
        let end = milliseconds.map { MonotonicTime.milliseconds + Int64($0) }
        while true {
            let left = end.map { max(0, $0 - MonotonicTime.milliseconds) } ?? -1
            let events = clinux_poll(descriptor, UInt32(CLINUX_PEER_CLOSED), Int32(clamping: left))
            if events > 0 || (events < 0 && events != -EINTR) { return false }
            if left == 0 { return true }
        }
    }

    func hangUp() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func set(_ option: Int32) {
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), option, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
}
