import CLinux
import CSystemd
import Files
import Glibc
import Threads

/// What systemd is told about the service (sd_notify(3)). Without systemd every call does nothing.
///
/// libsystemd's own call waits as long as the queue is full, for ever where nobody reads, and with it the heartbeat and every
/// stop. Here the watchdog's messages go at once or not at all, for the next one says the same; the others wait for room,
/// not long.
public enum Notify {
    /// The service works.
    /// - Parameter waitMilliseconds: how long to wait for room. It is not said again: a start whose word is lost is killed at TimeoutStartSec=.
    public static func ready(status: String, waitMilliseconds: Int64 = longestWait) {
        send("READY=1\nSTATUS=\(LogText.line(status))", waitMilliseconds: waitMilliseconds)
    }

    /// The configuration is being read again; `ready` ends it.
    public static func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.microseconds)") }

    /// The service is about to end.
    public static func stopping() { send("STOPPING=1") }

    /// One sentence for `systemctl status`.
    public static func status(_ text: String) { send("STATUS=\(LogText.line(text))") }

    /// Still alive.
    public static func watchdog() { send("WATCHDOG=1", waitMilliseconds: 0) }

    /// This process hangs: do at once what is done when the watchdog is not fed.
    public static func watchdogTrigger() { send("WATCHDOG=trigger", waitMilliseconds: 0) }

    /// The start takes longer than the unit allows: so many milliseconds more from now on.
    public static func extendTimeout(milliseconds: Int64) { send("EXTEND_TIMEOUT_USEC=\(milliseconds * 1000)") }

    /// After how many milliseconds without `watchdog` the process is killed (WatchdogSec=). Nil when nobody does.
    public static var watchdogMilliseconds: Int64? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return Int64(clamping: microseconds / 1000)
    }

    /// How long a message waits for room: two of them in a row must not keep a loop from coming round.
    public static let longestWait: Int64 = 500

    private static func send(_ state: String, waitMilliseconds: Int64 = longestWait) {
        guard let name = getenv("NOTIFY_SOCKET"), name[0] == CChar(UInt8(ascii: "/")) || name[0] == CChar(UInt8(ascii: "@")) else { return }
        let made = clinux_unix_socket(Int32(CLINUX_DATAGRAM), 0)
        guard made >= 0 else { return }
        let socket = FileDescriptor(owning: made)
        guard clinux_notify_connect(socket.raw, name) == 0 else { return }
        let deadline = MonotonicTime.milliseconds + waitMilliseconds
        while clinux_try_send(socket.raw, state, state.utf8.count) == -Int(EAGAIN) {
            let left = deadline - MonotonicTime.milliseconds
            guard left > 0, clinux_poll(socket.raw, UInt32(CLINUX_WRITABLE), Int32(left)) >= 0 else { return }
        }
    }
}
