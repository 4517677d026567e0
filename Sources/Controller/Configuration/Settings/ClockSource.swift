/// Who vouches for the time.
public enum ClockSource: String, Sendable, CaseIterable {
    /// The kernel's synchronisation flag (systemd-timesyncd, chrony with `rtcsync`, ntpd).
    case kernel
    /// The installer: something the kernel does not know of keeps the clock right.
    case installer
}
