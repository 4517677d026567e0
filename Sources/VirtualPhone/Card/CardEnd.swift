import CLinux
import Synchronization

/// Says once that a card is off its reader, to any number of waiting threads.
///
/// Unchecked because a C pointer is not Sendable by itself; the monitor behind it is made for
/// many threads.
final class CardEnd: @unchecked Sendable {
    private let monitor: OpaquePointer = clinux_monitor_create()
    private let raised = Atomic(false)

    deinit {
        clinux_monitor_destroy(monitor)
    }

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    func raise() {
        clinux_monitor_lock(monitor)
        raised.store(true, ordering: .releasing)
        clinux_monitor_wake_all(monitor)
        clinux_monitor_unlock(monitor)
    }

    func wait() {
        clinux_monitor_lock(monitor)
        while !isRaised { clinux_monitor_wait(monitor) }
        clinux_monitor_unlock(monitor)
    }
}
