import CLinux
import Files
import Threads

/// Wakes the thread of a PN532. Anybody may ring it, and ringing never blocks.
final class ChipBell: Sendable {
    private let event: FileDescriptor

    init() throws(SystemError) {
        event = FileDescriptor(owning: try SystemError.check(clinux_eventfd_create(), "eventfd"))
    }

    func ring() { _ = clinux_eventfd_raise(event.raw) }

    /// Waits until somebody rings, until something has come over that connection, or so many milliseconds (-1 for ever).
    func wait(_ connection: Int32?, milliseconds: Int32) {
        let descriptors = [event.raw, connection ?? -1]
        _ = clinux_poll_any(descriptors, connection == nil ? 1 : 2, milliseconds)
        _ = clinux_eventfd_clear(event.raw)
    }
}
