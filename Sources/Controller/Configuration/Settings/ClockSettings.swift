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

/// Who vouches for the time.
public enum ClockSource: String, Sendable, CaseIterable {
    /// The kernel's synchronisation flag (systemd-timesyncd, chrony with `rtcsync`, ntpd).
    case kernel
    /// The installer: something the kernel does not know of keeps the clock right.
    case installer
}

/// What the first time after a boot is good for.
public enum AfterBootPolicy: String, Sendable, CaseIterable {
    /// It serves people, and opens nothing by itself until something signed, root or an operator confirms it.
    case confirm
    /// It counts at once, whoever it comes from.
    case believe
}

/// Who may pass while nobody vouches for the time.
public enum UntrustedClockPolicy: String, Sendable, CaseIterable {
    /// Enrolled keys; tokens are refused (`clock-untrusted`).
    case enrolledOnly = "enrolled-only"
    /// Nobody.
    case deny
}
