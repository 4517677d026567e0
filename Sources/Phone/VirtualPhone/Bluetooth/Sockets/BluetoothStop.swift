import CLinux
import Glibc

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
