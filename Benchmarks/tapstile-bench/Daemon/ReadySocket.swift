import CLinux
import Glibc

/// The socket on which a daemon tells that it is ready (sd_notify(3)).
final class ReadySocket {
    let path: String
    private let descriptor: Int32

    init(path: String) throws(BenchError) {
        self.path = path
        unlink(path)
        descriptor = clinux_unix_socket(Int32(CLINUX_DATAGRAM), 1)
        guard descriptor >= 0, clinux_unix_bind(descriptor, path) == 0 else { throw BenchError("cannot make the socket \(path)") }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Waits until READY=1 comes; the monotonic time of that.
    func waitUntilReady(_ child: ChildProcess) throws(BenchError) -> Int64 {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let deadline = Clock.now + Patience.step
        while Clock.now < deadline {
            guard clinux_poll(descriptor, UInt32(CLINUX_READABLE), 100) > 0 else {
                guard child.isRunning else { throw BenchError("the program ended before it was ready") }
                continue
            }
            let count = clinux_receive(descriptor, &buffer, buffer.count)
            let now = Clock.now
            if count > 0, String(decoding: buffer.prefix(count), as: UTF8.self).contains("READY=1") { return now }
        }
        throw BenchError("the program was not ready in time")
    }
}
