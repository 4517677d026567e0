import CLinux
import Files
import Threads

/// Wakes a thread when the wall clock comes to a time, and when somebody sets the clock: whichever is first.
public final class ClockAlarm: Sendable {
    private let timer: FileDescriptor
    private let bell: FileDescriptor
    private let epoll: FileDescriptor
    private let isStopping = Mutex(false)

    public init() throws(SystemError) {
        timer = FileDescriptor(owning: try SystemError.check(clinux_wall_timerfd_create(), "timerfd"))
        bell = FileDescriptor(owning: try SystemError.check(clinux_eventfd_create(), "eventfd"))
        epoll = FileDescriptor(owning: try SystemError.check(clinux_epoll_create(), "epoll"))
        for descriptor in [timer, bell] {
            _ = try SystemError.check(clinux_epoll_add(epoll.raw, descriptor.raw, UInt32(CLINUX_READABLE)), "epoll")
        }
    }

    /// Rings at a UNIX second; nil: only when the clock is set. A time that has passed rings with the next second.
    /// - Parameter now: the UNIX second that it is by the clock that the caller goes by, which need not be the machine's.
    public func arm(atSeconds seconds: Int64?, now: Int64) {
        let machine = ClockSample.take(after: nil).realtime.quotientFloor(1000)
        // Without a time one that no clock comes to: what is not armed does not tell that the clock is set either.
        _ = clinux_wall_timerfd_arm(timer.raw, max(seconds.map { $0 - now + machine } ?? Self.never, machine + 1))
    }

    /// The year 2255, which the kernel can still count in nanoseconds.
    private static let never: Int64 = 9_000_000_000

    /// Wakes the thread that waits, or the next that will.
    public func wake() { _ = clinux_eventfd_raise(bell.raw) }

    /// Ends all waiting from now on.
    public func stop() {
        isStopping.withLock { $0 = true }
        wake()
    }

    /// Waits until it rings, somebody wakes it, or so many milliseconds have passed. False once it has been stopped.
    public func wait(atMost milliseconds: Int64, _ loop: Loop) -> Bool {
        let end = MonotonicTime.milliseconds + milliseconds
        var ready = [clinux_ready](repeating: clinux_ready(), count: 2)
        while true {
            let rest = max(0, end - MonotonicTime.milliseconds)
            let count = clinux_epoll_wait(epoll.raw, &ready, Int32(ready.count), loop.patience(atMost: Int32(clamping: rest)))
            loop.comesRound()
            if isStopping.withLock({ $0 }) { return false }
            if count > 0 {
                _ = clinux_timerfd_clear(timer.raw)
                _ = clinux_eventfd_clear(bell.raw)
                return true
            }
            if rest == 0 { return true }
        }
    }
}
