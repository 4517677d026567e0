import Threads

/// Why the control socket cannot be opened.
public enum ControlServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Somebody else answers there.
    case alreadyServed(path: String)
    /// What stands there is no socket.
    case notASocket(path: String)
    case unknownGroup(name: String)
    case failed(SystemError)

    /// Stable code for operators.
    public var code: String {
        switch self {
        case .alreadyServed: "control-socket-in-use"
        case .notASocket: "control-socket-blocked"
        case .unknownGroup: "control-group-unknown"
        case .failed: "control-socket-failed"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .alreadyServed(let path): "Another process already answers at \(path)."
        case .notASocket(let path): "\(path) is no socket and is left alone; move it away."
        case .unknownGroup(let name): "There is no group \"\(name)\" for the control socket; make it with groupadd --system \(name)."
        case .failed(let error): "The control socket cannot be opened: \(error.message)"
        }
    }

    public var description: String { message }
}
