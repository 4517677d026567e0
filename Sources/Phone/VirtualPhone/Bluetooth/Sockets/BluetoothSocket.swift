import CLinux
import Glibc
import Threads

/// An open socket, at which one waits for messages until a time, or until the program is stopped.
final class BluetoothSocket: Sendable {
    let raw: Int32
    private let epoll: Int32
    private let stop: BluetoothStop

    /// Longer than any message of the Attribute Protocol or of the management of adapters.
    private static let longestMessage = 4096

    /// Takes over a descriptor, or the negative errno in its place.
    init(owning opened: Int32, stop: BluetoothStop) throws(BluetoothError) {
        switch -opened {
        case EAFNOSUPPORT, EPROTONOSUPPORT: throw .unsupported(errno: -opened)
        case 1...: throw .failed(doing: "Opening a Bluetooth socket", errno: -opened)
        default: break
        }
        raw = opened
        self.stop = stop
        epoll = clinux_epoll_create()
        guard epoll >= 0, clinux_epoll_add(epoll, stop.raw, UInt32(CLINUX_READABLE)) == 0, clinux_epoll_add(epoll, raw, 0) == 0 else {
            // The descriptors are closed by `deinit`: all of this object is there.
            throw .failed(doing: "Waiting at a Bluetooth socket", errno: epoll < 0 ? -epoll : EIO)
        }
    }

    deinit {
        if epoll >= 0 { Glibc.close(epoll) }
        Glibc.close(raw)
    }

    /// Waits for these events. False when the time has come without them.
    func wait(for events: UInt32, until deadline: Int64) throws(BluetoothError) -> Bool {
        _ = clinux_epoll_change(epoll, raw, events)
        var ready = [clinux_ready](repeating: clinux_ready(), count: 2)
        while true {
            // Rounded up: whoever looks a little too early would look again and again.
            let left = max(0, (deadline - MonotonicTime.nanoseconds + 999_999) / 1_000_000)
            let count = clinux_epoll_wait(epoll, &ready, Int32(ready.count), Int32(clamping: left))
            guard count >= 0 else { throw .failed(doing: "Waiting at a Bluetooth socket", errno: -count) }
            if ready[..<Int(count)].contains(where: { $0.descriptor == stop.raw }) { throw .interrupted }
            if count > 0 { return true }
            if MonotonicTime.nanoseconds >= deadline { return false }
        }
    }

    /// One message as a whole. Answers its length or the negative errno.
    func send(_ message: [UInt8]) -> Int {
        message.withUnsafeBytes { clinux_send(raw, $0.baseAddress, $0.count) }
    }

    /// The next message; the negative errno when there is none.
    func receive() -> Result {
        var bytes = [UInt8](repeating: 0, count: Self.longestMessage)
        let count = bytes.withUnsafeMutableBytes { clinux_receive(raw, $0.baseAddress, $0.count) }
        return count < 0 ? .failed(Int32(clamping: -count)) : .message(Array(bytes.prefix(count)))
    }

    enum Result {
        case message([UInt8])
        case failed(Int32)
    }
}

/// Ends whatever waits at a Bluetooth socket: a person stopped the program. It stays raised.
public final class BluetoothStop: Sendable {
    let raw: Int32

    public init() throws(BluetoothError) {
        raw = clinux_eventfd_create()
        guard raw >= 0 else { throw .failed(doing: "Making a wake-up", errno: -raw) }
    }

    deinit { Glibc.close(raw) }

    /// May be called from any thread.
    public func raise() {
        _ = clinux_eventfd_raise(raw)
    }
}
