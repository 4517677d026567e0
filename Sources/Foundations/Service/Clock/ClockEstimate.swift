/// What the time can be within one boot, by what was believed of it and by the oscillator: an interval that grows while nothing is believed.
///
/// It is counted by `CLOCK_MONOTONIC_RAW` and the time suspended, which nobody steers: what moves the wall clock a little at a time
/// (chrony slews by up to 8 %) moves `CLOCK_MONOTONIC` and `CLOCK_BOOTTIME` with it. A reading that is believed makes the interval
/// narrower and never wider (an intersection of correctness intervals, RFC 5905, 11.2.1): a thousand readings at its edge
/// move the clock no further than the oscillator may have run wrong since the first of them.
struct ClockEstimate: Hashable, Sendable {
    /// Milliseconds by which two honest readings may differ: leap seconds and their smear, a suspend counted in whole seconds.
    static let tolerance: Int64 = 10_000
    /// Parts per million by which an oscillator runs wrong at worst: crystals of boards are 20 to 50 wrong as made, as much again over
    /// temperature, and some 5 more with each year.
    static let driftPPM: Int64 = 200

    /// Whose word it goes by.
    var basis: ClockBasis
    /// The last reading that was believed, milliseconds since 1970.
    private(set) var believed: Int64
    /// When that was: milliseconds of this boot by the oscillator.
    private(set) var believedAt: Int64
    /// The interval at `at`, in milliseconds by which the time is ahead of the oscillator's count.
    private(set) var earliest: Int64
    private(set) var latest: Int64
    private(set) var at: Int64

    /// Begins with a reading: milliseconds since 1970, and milliseconds of this boot by the oscillator.
    init(_ realtime: Int64, at raw: Int64, by basis: ClockBasis) {
        self.basis = basis
        believed = realtime
        believedAt = raw
        earliest = realtime - raw - Self.tolerance
        latest = realtime - raw + Self.tolerance
        at = raw
    }

    /// As it was kept; nil for what no estimate was ever like.
    init?(_ basis: ClockBasis, believed: Int64, believedAt: Int64, earliest: Int64, latest: Int64, at: Int64) {
        let sane: ClosedRange<Int64> = -1 << 53...1 << 53
        guard [believed, believedAt, earliest, latest, at].allSatisfy(sane.contains), earliest <= latest else { return nil }
        self.basis = basis
        self.believed = believed
        self.believedAt = believedAt
        self.earliest = earliest
        self.latest = latest
        self.at = at
    }

    /// The time by this alone, milliseconds since 1970.
    func time(at raw: Int64) -> Int64 { believed + max(0, raw - believedAt) }

    /// Seconds since a reading was believed.
    func age(at raw: Int64) -> Int64 { max(0, raw - believedAt) / 1000 }

    /// By how much the time is ahead of the oscillator's count at most, milliseconds.
    func latest(at raw: Int64) -> Int64 { latest + drift(until: raw) }

    /// The time at least, milliseconds since 1970.
    func earliest(at raw: Int64) -> Int64 { earliest - drift(until: raw) + raw }

    /// Whether the time may be this.
    func allows(_ realtime: Int64, at raw: Int64) -> Bool {
        let drift = drift(until: raw)
        return (earliest - drift...latest + drift).contains(realtime - raw)
    }

    /// Takes over a reading that it allows and that somebody vouches for.
    mutating func believe(_ realtime: Int64, at raw: Int64) {
        let drift = drift(until: raw)
        earliest = max(earliest - drift, realtime - raw - Self.tolerance)
        latest = min(latest + drift, realtime - raw + Self.tolerance)
        // What has not come to a millisecond yet goes on counting.
        at += drift * Self.step
        believed = realtime
        believedAt = max(believedAt, raw)
    }

    /// Milliseconds in which the oscillator goes wrong by one.
    private static let step: Int64 = 1_000_000 / driftPPM

    private func drift(until raw: Int64) -> Int64 { max(0, raw - at) / Self.step }
}
