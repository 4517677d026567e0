import CLinux

/// The time of day in UNIX seconds.
enum UnixTime {
    static var now: Int64 { clinux_realtime_nanoseconds() / 1_000_000_000 }
}
