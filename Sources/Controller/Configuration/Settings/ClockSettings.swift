/// `[clock]`
public struct ClockSettings: Hashable, Sendable {
    /// Who vouches for the time.
    public var source: ClockSource
    /// How long a clock that runs on by itself is believed. Days.
    public var holdoverDays: Int
    /// Who may pass while nobody vouches for the time.
    public var whenUntrusted: UntrustedClockPolicy
    /// What the first time after a boot is good for.
    public var afterBoot: AfterBootPolicy

    public init(source: ClockSource, holdoverDays: Int, whenUntrusted: UntrustedClockPolicy, afterBoot: AfterBootPolicy) {
        self.source = source
        self.holdoverDays = holdoverDays
        self.whenUntrusted = whenUntrusted
        self.afterBoot = afterBoot
    }
}
