/// Somebody set the machine's clock: it went on from another time than it had come to.
public struct ClockStep: Hashable, Sendable {
    /// Where it would have been, milliseconds since 1970.
    public let from: Int64
    /// Where it was instead.
    public let to: Int64

    /// Milliseconds by which it may differ from the oscillator between two readings, whoever steers it: a leap second, a suspend counted in whole
    /// seconds.
    static let least: Int64 = 2000
    /// The part of the time in between by which it may: chrony slews by 8 % at most.
    static let slewed: Int64 = 10

    /// Whether one lies between two readings; nil if not.
    init?(between earlier: ClockSample, and later: ClockSample) {
        let passed = max(0, later.raw - earlier.raw)
        let expected = earlier.realtime + passed
        guard abs(later.realtime - expected) > Self.least + passed / Self.slewed else { return nil }
        from = expected
        to = later.realtime
    }
}
