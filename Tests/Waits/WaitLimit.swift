import Glibc
import Threads

/// How long tests wait for anything before they fail. Nothing else in them says so.
///
/// It is no measure of speed: what comes at all comes long before. A slow machine gets more by TAPSTILE_WAIT_SECONDS.
public enum WaitLimit {
    public static let seconds: Int = {
        guard let set = getenv("TAPSTILE_WAIT_SECONDS") else { return 60 }
        guard let seconds = Int(String(cString: set)), (1...86_400).contains(seconds) else {
            preconditionFailure("TAPSTILE_WAIT_SECONDS is no number of seconds from 1 to 86400")
        }
        return seconds
    }()

    /// For calls that have a bound of their own.
    public static let milliseconds = 1000 * seconds

    /// A thread that a test holds up is let go after so many: whoever waits meanwhile for what it keeps from happening
    /// must have given up by then, or would see it happen.
    public static let secondsOfHold = 2 * seconds

    /// The monotonic milliseconds at which a wait that begins now is in vain.
    public static var deadline: Int64 { MonotonicTime.milliseconds + Int64(milliseconds) }
}
