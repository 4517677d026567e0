import Credentials

/// When something happened, as the composition root's clock told it.
public struct JournalTime: Hashable, Sendable {
    /// UNIX time in milliseconds.
    public var wallMilliseconds: Int64
    /// How far `wallMilliseconds` may be trusted.
    public var trust: ClockTrust
    /// Milliseconds of the monotonic clock; comparable within one boot.
    public var monotonicMilliseconds: Int64
    /// What the machine's clock said, UNIX milliseconds, where that is not what counts. Nobody vouches for it; it tells records apart that all have
    /// the time of a floor.
    public var machineMilliseconds: Int64?

    /// A time with its trust.
    public init(wallMilliseconds: Int64, trust: ClockTrust, monotonicMilliseconds: Int64, machineMilliseconds: Int64? = nil) {
        self.wallMilliseconds = wallMilliseconds
        self.trust = trust
        self.monotonicMilliseconds = monotonicMilliseconds
        self.machineMilliseconds = machineMilliseconds
    }
}
