/// Whom to believe about the wall clock.
public struct ClockPolicy: Hashable, Sendable {
    /// Who vouches for the time.
    public enum Source: Hashable, Sendable {
        /// The kernel's synchronisation flag (set by systemd-timesyncd, chrony with `rtcsync`, ntpd).
        case kernel
        /// The installer: something the kernel does not know of keeps this clock right.
        case installer
    }

    /// What the first time after a boot is good for.
    public enum AfterBoot: Hashable, Sendable {
        /// It serves people, and opens nothing by itself until something signed, root or an operator confirms it.
        case confirm
        /// It counts at once.
        case believe
    }

    public var source: Source
    /// A clock that ran on by itself for longer than this is untrusted.
    public var holdoverLimitSeconds: Int64
    public var afterBoot: AfterBoot

    public init(source: Source = .kernel, holdoverLimitSeconds: Int64 = 30 * 86400, afterBoot: AfterBoot = .confirm) {
        self.source = source
        self.holdoverLimitSeconds = holdoverLimitSeconds
        self.afterBoot = afterBoot
    }
}
