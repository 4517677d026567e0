import CLinux
import Files
import Glibc
import ReaderProtocol
import Threads

/// A device that this process alone uses. libnfc opens a port for as many as come; so whoever drives a chip here locks its device
/// first (flock), for as long as it is open. The kernel gives the lock back however the process ends.
final class PortLock: Sendable {
    private let file: FileDescriptor

    /// Opens the device and locks it.
    init(_ path: String) throws(ChipError) {
        let isOurs: Bool
        do throws(SystemError) {
            // A serial port without a carrier would be waited for.
            file = try FileDescriptor(path: path, flags: O_RDWR | O_NOCTTY | O_NONBLOCK)
            isOurs = try file.lock()
        } catch {
            throw .notOpened(Self.failure(error))
        }
        guard isOurs else { throw .notOpened(.portHeld) }
    }

    /// Another name of the very device that is locked, whatever its own name has come to mean since. It has no colon.
    var path: String { "/proc/self/fd/\(file.raw)" }

    /// True when the device has gone, as a USB adapter does that is unplugged.
    var isGone: Bool {
        // The adapters of other buses have nothing to tell here.
        clinux_poll(file.raw, UInt32(CLINUX_READABLE), 0) & Int32(CLINUX_FAILED | CLINUX_HUNG_UP) != 0
    }

    private static func failure(_ error: SystemError) -> ChipFailure {
        switch error.number {
        case ENOENT, ENOTDIR, ENXIO, ENODEV: .portAbsent
        case EACCES, EPERM: .portDenied
        case EBUSY: .portHeld
        default: .portBroken
        }
    }
}
