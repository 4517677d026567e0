import CNFC
import Threads

/// Calls the thread of a chip back out of a command that the chip does not answer. Any thread may.
///
/// libnfc leaves the command only while it waits for the chip's answer, not for its acknowledgement, and on a serial port each call that
/// nobody waits for leaves one descriptor open: so it is for a chip that hangs, once.
final class ChipAbort: Sendable {
    private let device = Monitor<OpaquePointer?>(nil)

    /// That chip may be called off from now on; nil: none. Whoever closes a chip says so before.
    func concerns(_ device: OpaquePointer?) {
        self.device.withLock { $0 = device }
    }

    func raise() {
        // Under the lock: the chip must not be closed meanwhile.
        device.withLock { device in
            if let device { nfc_abort_command(device) }
        }
    }
}
