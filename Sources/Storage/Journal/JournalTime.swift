import Credentials

/// When something happened, as the composition root's clock told it.
public struct JournalTime: Hashable, Sendable {
    /// UNIX time in milliseconds.
    public var wallMilliseconds: Int64
    /// How far `wallMilliseconds` may be trusted.
    public var trust: ClockTrust
    /// Milliseconds of the monotonic clock; comparable within one boot.
    public var monotonicMilliseconds: Int64

    /// A time with its trust.
    public init(wallMilliseconds: Int64, trust: ClockTrust, monotonicMilliseconds: Int64) {
        self.wallMilliseconds = wallMilliseconds
        self.trust = trust
        self.monotonicMilliseconds = monotonicMilliseconds
    }
}
