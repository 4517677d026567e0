import Threads

/// Why a program cannot talk to the daemon.
public enum ControlClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody answers there.
    case notRunning(path: String)
    /// This user may not connect.
    case notPermitted(path: String)
    case timedOut
    /// The daemon sent a line longer than allowed.
    case overlong
    case failed(SystemError)

    /// Stable code for operators.
    public var code: String {
        switch self {
        case .notRunning: "not-running"
        case .notPermitted: "not-permitted"
        case .timedOut: "no-answer"
        case .overlong: "answer-too-long"
        case .failed: "control-socket-failed"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .notRunning(let path): "tapstiled does not run: nobody answers at \(path). Start it with systemctl start tapstiled."
        case .notPermitted(let path): "You may not use \(path): only root and the members of its group may (docs/installing.md, Who may do what)."
        case .timedOut: "tapstiled did not answer in time."
        case .overlong: "tapstiled sent a line that is too long."
        case .failed(let error): error.message
        }
    }

    public var description: String { message }
}
