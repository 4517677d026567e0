import CSystemd
import Threads

/// What systemd is told about the service (sd_notify(3)). Without systemd every call does nothing.
public enum Notify {
    /// The service works.
    public static func ready(status: String) { send("READY=1\nSTATUS=\(LogText.line(status))") }

    /// The configuration is being read again; `ready` ends it.
    public static func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.microseconds)") }

    /// The service is about to end.
    public static func stopping() { send("STOPPING=1") }

    /// One sentence for `systemctl status`.
    public static func status(_ text: String) { send("STATUS=\(LogText.line(text))") }

    /// Still alive.
    public static func watchdog() { send("WATCHDOG=1") }

    /// This process hangs: do at once what is done when the watchdog is not fed.
    public static func watchdogTrigger() { send("WATCHDOG=trigger") }

    /// The start takes longer than the unit allows: so many milliseconds more from now on.
    public static func extendTimeout(milliseconds: Int64) { send("EXTEND_TIMEOUT_USEC=\(milliseconds * 1000)") }

    /// After how many milliseconds without `watchdog` the process is killed (WatchdogSec=). Nil when nobody does.
    public static var watchdogMilliseconds: Int64? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return Int64(clamping: microseconds / 1000)
    }

    private static func send(_ state: String) {
        _ = sd_notify(0, state)
    }
}
