import CLinux
import Glibc
import Threads

/// The monotonic clock, in nanoseconds.
enum Clock {
    static var now: Int64 { MonotonicTime.nanoseconds }

    /// Sleeps. Used between measurements, never inside one.
    static func pause(milliseconds: Int32) {
        _ = clinux_poll(-1, 0, milliseconds)
    }

    /// Sleeps until then.
    static func sleep(until time: Int64) {
        var moment = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nil) == EINTR {}
    }

    /// Computes for so long, as a phone does.
    static func spin(until time: Int64) {
        while now < time {}
    }
}
