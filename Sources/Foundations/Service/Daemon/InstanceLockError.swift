import Threads

/// Why this process may not serve a state folder.
public enum InstanceLockError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another daemon does.
    case alreadyRunning(process: Int32?, directory: String)
    /// The lock file cannot be used.
    case unusable(SystemError)

    /// Stable code for operators.
    public var code: String {
        switch self {
        case .alreadyRunning: "already-running"
        case .unusable: "state-folder-unusable"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .alreadyRunning(let process, let directory):
            "Another tapstiled\(process.map { " (process \($0))" } ?? "") already serves \(directory); this one ends."
        case .unusable(let error):
            "The state folder cannot be used: \(error.message) It must belong to the user tapstile (`ls -ld`), on a disk that "
                + "takes writing (`mount`, `dmesg`)."
        }
    }

    public var description: String { message }
}
