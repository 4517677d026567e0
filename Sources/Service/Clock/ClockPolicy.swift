/// Whom to believe about the wall clock.
public struct ClockPolicy: Hashable, Sendable {
    /// Who vouches for the time.
    public enum Source: Hashable, Sendable {
        /// The kernel's synchronisation flag (set by systemd-timesyncd, chrony with `rtcsync`, ntpd).
        case kernel
        /// The installer: something the kernel does not know of keeps this clock right.
        case installer
    }

    public var source: Source
    /// A clock that ran on by itself for longer than this is untrusted.
    public var holdoverLimitSeconds: Int64

    public init(source: Source = .kernel, holdoverLimitSeconds: Int64 = 30 * 86400) {
        self.source = source
        self.holdoverLimitSeconds = holdoverLimitSeconds
    }
}
