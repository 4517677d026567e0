import Threads

/// A clock that goes a whole number of times as fast as the machine's, from zero on.
struct ScaledClock: Sendable {
    private let scale: Int64
    private let start = MonotonicTime.nanoseconds

    init(scale: Int) { self.scale = Int64(max(1, scale)) }

    /// Nanoseconds.
    var now: Int64 { (MonotonicTime.nanoseconds - start) * scale }

    /// The machine's monotonic time at which this clock shows that one.
    func machineTime(of time: Int64) -> Int64 { start + (time + scale - 1) / scale }
}
