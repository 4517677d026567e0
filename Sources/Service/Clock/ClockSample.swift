import CLinux

/// What the machine says about time at one moment.
struct ClockSample: Hashable, Sendable {
    /// Milliseconds since 1970, as the kernel has them.
    var realtime: Int64
    /// Milliseconds since this boot, also counting sleep.
    var sinceBoot: Int64
    var kernelSynchronised: Bool

    /// Asks the kernel. A kernel that refuses to say (a filter forbids adjtimex) counts as not synchronised.
    static func take() -> ClockSample {
        var state = clinux_clock_state()
        let known = clinux_clock_state_read(&state) == 0
        return ClockSample(realtime: clinux_realtime_nanoseconds().quotientFloor(1_000_000),
                           sinceBoot: clinux_boottime_nanoseconds() / 1_000_000,
                           kernelSynchronised: known && state.synchronised == 1)
    }
}
