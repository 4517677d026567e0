import CLinux

/// The monotonic clock, as the waits of this room need it. Nothing here is ever wall-clock time.
enum MonotonicTime {
    static var milliseconds: Int64 { clinux_monotonic_nanoseconds() / 1_000_000 }
}
