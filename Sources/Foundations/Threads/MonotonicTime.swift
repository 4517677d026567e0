import CLinux

/// The monotonic clock: it only ever grows, from an arbitrary start, and is never wall-clock time.
public enum MonotonicTime {
    /// Now.
    public static var nanoseconds: Int64 { clinux_monotonic_nanoseconds() }
    /// Now.
    public static var microseconds: Int64 { clinux_monotonic_nanoseconds() / 1000 }
    /// Now.
    public static var milliseconds: Int64 { clinux_monotonic_nanoseconds() / 1_000_000 }

    /// That time in nanoseconds; what is too far away for them, as far away as they go.
    public static func nanoseconds(atMilliseconds milliseconds: Int64) -> Int64 {
        let product = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        guard product.overflow else { return product.partialValue }
        return milliseconds < 0 ? .min : .max
    }
}
