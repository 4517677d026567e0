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

extension TimeZoneData {
    /// The most bytes of a file. The largest of the tz database have less than 4,000.
    public static let largestFile = 65_536

    /// Reads a TZif file of version 1 to 4 (RFC 9636, 3).
    public init(tzif bytes: [UInt8]) throws(TimeZoneDataError) {
        guard bytes.count <= Self.largestFile else { throw .tooLarge }
        var reader = TimeZoneReader(bytes)
        let first = try reader.header()
        guard first.version > 1 else {
            let block = try reader.block(first, timeLength: 4)
            guard reader.isAtEnd else { throw .trailingBytes }
            try self.init(block, footer: nil)
            return
        }
        // The block for readers of version 1 has the same in fewer years.
        try reader.skipBlock(first, timeLength: 4)
        let second = try reader.header()
        guard second.version == first.version else { throw .notZoneData }
        let block = try reader.block(second, timeLength: 8)
        let footer = try reader.footer()
        guard reader.isAtEnd else { throw .trailingBytes }
        try self.init(block, footer: footer)
    }

    private init(_ block: TimeZoneReader.Block, footer: PosixZone?) throws(TimeZoneDataError) {
        var offset = block.offsets[0]
        var first = offset
        var listed: [TimeZoneTransition] = []
        for (position, (at, type)) in zip(block.times, block.types).enumerated() {
            if position > 0, block.times[position - 1] >= at { throw .unordered }
            guard at <= Self.times.upperBound else { continue }
            // From the last change on the footer tells.
            let isLast = position == block.times.count - 1
            let after = (isLast ? footer?.offset(at: Self.clamped(at)) : nil) ?? block.offsets[type]
            if at < Self.times.lowerBound {
                first = after
            } else if after != offset {
                listed.append(TimeZoneTransition(at: at, before: offset, after: after))
            }
            offset = after
        }
        let last = block.times.last ?? Self.times.lowerBound
        // A rule that begins after the end of all times never counts.
        self.init(listed: listed, first: first, footer: last <= Self.times.upperBound ? footer : nil, footerFrom: Self.clamped(last))
    }
}

/// A change of a zone's offset from UTC.
public struct TimeZoneTransition: Hashable, Sendable {
    /// The first UNIX second with the new offset.
    public let at: Int64
    /// Seconds east of UTC until then.
    public let before: Int64
    /// Seconds east of UTC from then on.
    public let after: Int64
}

/// Why bytes are no zone data that schedules can be judged by.
public enum TimeZoneDataError: String, Error, Sendable {
    /// The file ends too early.
    case truncated
    /// Bytes follow its end.
    case trailingBytes = "trailing-bytes"
    /// It is larger than any zone of the tz database.
    case tooLarge = "too-large"
    /// It does not begin like a TZif file of a known version.
    case notZoneData = "not-zone-data"
    /// A count or an index contradicts another.
    case badCount = "bad-count"
    /// An offset is further from UTC than any clock of the earth.
    case badOffset = "bad-offset"
    /// The changes are not in the order of time.
    case unordered
    /// It counts leap seconds (the tz database's `right/`), which UNIX time does not.
    case leapSeconds = "leap-seconds"
    /// The rule for later years cannot be read.
    case badFooter = "bad-footer"
}
