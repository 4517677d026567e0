import CLinux

/// What the machine says about time at one moment.
struct ClockSample: Hashable, Sendable {
    /// Milliseconds since 1970, as the kernel has them.
    var realtime: Int64
    /// Milliseconds since this boot, also counting sleep.
    var sinceBoot: Int64
    /// Milliseconds since this boot by the oscillator alone, also counting sleep: whoever steers the wall clock does not steer this.
    var raw: Int64
    /// The kernel's word at `askedAt`.
    var kernelSynchronised: Bool
    /// When the kernel was asked for its word, in milliseconds since this boot.
    var askedAt: Int64

    /// Milliseconds for which the kernel's word holds. It is a system call of some microseconds, in the way of every tap;
    /// the clocks themselves are read without one.
    static let wordHolds: Int64 = 1000
    /// Milliseconds by which the wall clock may run away from the other one meanwhile: more than a clock that is being
    /// corrected does in a second, and less than anybody sets one by.
    static let drift: Int64 = 10

    init(realtime: Int64, sinceBoot: Int64, raw: Int64? = nil, kernelSynchronised: Bool, askedAt: Int64? = nil) {
        self.realtime = realtime
        self.sinceBoot = sinceBoot
        self.raw = raw ?? sinceBoot
        self.kernelSynchronised = kernelSynchronised
        self.askedAt = askedAt ?? sinceBoot
    }

    /// Reads the clocks, and asks the kernel whether its one is synchronised: unless it was asked a moment ago and nobody
    /// has set the clock since. A kernel that refuses to say (a filter forbids adjtimex) counts as not synchronised.
    static func take(after earlier: ClockSample?) -> ClockSample {
        take(after: earlier, realtime: clinux_realtime_nanoseconds().quotientFloor(1_000_000),
             sinceBoot: clinux_boottime_nanoseconds() / 1_000_000, raw: clinux_steady_nanoseconds() / 1_000_000) {
            var state = clinux_clock_state()
            return clinux_clock_state_read(&state) == 0 && state.synchronised == 1
        }
    }

    static func take(after earlier: ClockSample?, realtime: Int64, sinceBoot: Int64, raw: Int64? = nil, askKernel: () -> Bool) -> ClockSample {
        if let earlier, earlier.speaks(of: realtime, sinceBoot) {
            return ClockSample(realtime: realtime, sinceBoot: sinceBoot, raw: raw, kernelSynchronised: earlier.kernelSynchronised,
                               askedAt: earlier.askedAt)
        }
        return ClockSample(realtime: realtime, sinceBoot: sinceBoot, raw: raw, kernelSynchronised: askKernel())
    }

    /// Whether what the kernel said for this sample holds for such a reading.
    private func speaks(of realtime: Int64, _ sinceBoot: Int64) -> Bool {
        guard (0..<Self.wordHolds).contains(sinceBoot - askedAt) else { return false }
        return abs((realtime - sinceBoot) - (self.realtime - self.sinceBoot)) <= Self.drift
    }
}
