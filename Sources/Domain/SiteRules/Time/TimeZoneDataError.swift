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
