import Encoding

/// When the clocks of a time zone are how far from UTC: the contents of a TZif file (RFC 9636).
public struct TimeZoneData: Hashable, Sendable {
    /// The changes that are listed, in the order of time; each changes the offset.
    let listed: [TimeZoneTransition]
    /// The offset as long as no listed change has come.
    let first: Int64
    /// The rule for the time after the file's last change, or for all times where it has none; nil: nothing changes any more.
    let footer: PosixZone?
    /// From when on it counts.
    let footerFrom: Int64

    /// UNIX seconds that a question may name; others are taken for the nearest of these. From 29,719 BC to AD 33,658.
    static let times: ClosedRange<Int64> = -1_000_000_000_000...1_000_000_000_000
    /// Offsets that are accepted: those that RFC 9636, 3.2 recommends, -25 to 26 hours without the ends.
    static let offsets: ClosedRange<Int64> = -89_999...93_599

    /// UTC itself.
    public static let utc = TimeZoneData(listed: [], first: 0, footer: nil, footerFrom: times.lowerBound)

    /// Seconds east of UTC at a UNIX second.
    public func offset(at time: Int64) -> Int64 {
        let time = Self.clamped(time)
        if let footer, time >= footerFrom { return footer.offset(at: time) }
        let passed = count(notAfter: time)
        return passed == 0 ? first : listed[passed - 1].after
    }

    /// The next change of the offset after a UNIX second; nil when there is none any more.
    public func transition(after time: Int64) -> TimeZoneTransition? {
        let time = Self.clamped(time)
        let passed = count(notAfter: time)
        return passed < listed.count ? listed[passed] : footer?.transition(after: max(time, footerFrom))
    }

    /// The date and time on the clock, as seconds since 1970 if it were one of UTC.
    public func clock(at time: Int64) -> Int64 { Self.clamped(time) + offset(at: time) }

    private func count(notAfter time: Int64) -> Int {
        var low = 0
        var high = listed.count
        while low < high {
            let middle = (low + high) / 2
            if listed[middle].at <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    static func clamped(_ time: Int64) -> Int64 { min(max(time, times.lowerBound), times.upperBound) }
}
