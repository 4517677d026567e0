import Gate
import Threads

extension Instant {
    /// This moment on the monotonic clock.
    static var now: Instant { Instant(milliseconds: MonotonicTime.milliseconds) }
}
