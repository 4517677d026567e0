import Threads

/// The clock by which a chip is driven: the machine's, or one that goes a whole number of times as fast, for a chip whose own clock does
/// so too. A day of polling then takes minutes.
public struct ChipClock: Sendable {
    /// The machine's monotonic clock.
    public static let machine = ChipClock(scale: 1, origin: 0)

    private let scale: Int64
    /// When both clocks showed the same, in nanoseconds.
    private let origin: Int64

    /// One that goes so many times as fast from now on.
    public init(scale: Int) {
        self.init(scale: Int64(max(1, scale)), origin: MonotonicTime.nanoseconds)
    }

    private init(scale: Int64, origin: Int64) {
        (self.scale, self.origin) = (scale, origin)
    }

    /// Now.
    var milliseconds: Int64 { (origin + (MonotonicTime.nanoseconds - origin) * scale) / 1_000_000 }

    /// The machine's monotonic time at which this clock shows that one.
    func nanoseconds(atMilliseconds milliseconds: Int64) -> Int64 {
        origin + (MonotonicTime.nanoseconds(atMilliseconds: milliseconds) - origin + scale - 1) / scale
    }
}
