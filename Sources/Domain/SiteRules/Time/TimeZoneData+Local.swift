/// From times on the clock to instants.
///
/// A time on the clock means one instant: the first at which the clock shows that time or a later one. Where the
/// clock is put forward and the time is left out, that is the moment of the change; where it is put back and the time comes
/// twice, the first of the two. So of two times the later never means the earlier instant, and windows that
/// touch on paper touch on that night too.
extension TimeZoneData {
    /// The latest time that the clock has shown up to a UNIX second. It differs from `clock(at:)` only after the clock was put
    /// back, until what it shows is new again.
    public func latestClock(by time: Int64) -> Int64 {
        let time = Self.clamped(time)
        var latest = clock(at: time)
        var since = time - Self.longestRepetition
        while let change = transition(after: since), change.at <= time {
            latest = max(latest, change.at - 1 + change.before)
            since = change.at
        }
        return latest
    }

    /// The first UNIX second at which the clock shows `clock` or a later time.
    public func instant(ofClock clock: Int64) -> Int64 {
        let clock = Self.clamped(clock)
        // No clock is further ahead, so that none shows it earlier.
        var segment = clock - Self.offsets.upperBound
        while true {
            let change = transition(after: segment)
            let shown = max(segment, clock - offset(at: segment))
            guard let change, change.at <= shown else { return shown }
            segment = change.at
        }
    }

    /// Seconds after which a time that came before a change cannot be ahead of the clock any more: from the most eastern
    /// to the most western offset.
    private static let longestRepetition = offsets.upperBound - offsets.lowerBound
}
