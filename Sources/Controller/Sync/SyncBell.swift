import CLinux
import Files
import Service
import Threads

/// Wakes the thread that synchronises, wherever it waits, and stays so: the gate stops. Ringing never blocks.
package final class SyncBell: Sendable {
    private let event: FileDescriptor

    package init() throws(SystemError) {
        event = FileDescriptor(owning: try SystemError.check(clinux_eventfd_create(), "eventfd"))
    }

    func ring() { _ = clinux_eventfd_raise(event.raw) }

    /// Whether somebody has rung.
    var hasRung: Bool { clinux_poll(event.raw, UInt32(CLINUX_READABLE), 0) > 0 }

    /// Readable from the first ring on.
    var descriptor: Int32 { event.raw }

    /// Waits until somebody rings, at most so many milliseconds.
    func wait(milliseconds: Int32) { _ = clinux_poll(event.raw, UInt32(CLINUX_READABLE), milliseconds) }
}
