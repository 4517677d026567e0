import CLinux
import Glibc
import Threads

/// The monotonic clock, in nanoseconds.
enum Clock {
    static var now: Int64 { MonotonicTime.nanoseconds }

    /// Nanoseconds that the calling thread has computed.
    static var threadProcessor: Int64 { read(CLOCK_THREAD_CPUTIME_ID) }

    /// Nanoseconds that all threads of this process have computed, those that are over included.
    static var processProcessor: Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var moment = timespec()
        clock_gettime(clock, &moment)
        return Int64(moment.tv_sec) * 1_000_000_000 + Int64(moment.tv_nsec)
    }

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
