import Threads

/// Why a file cannot be fetched onto the disk.
public enum StagingError: Error, Hashable, Sendable {
    /// There is not enough room for it, for what becomes of it, and for the journal; bytes.
    case noRoom(needed: Int64, free: Int64)
    /// The disk refused.
    case disk(SystemError)

    /// Stable, for operators to search for.
    public var code: String {
        switch self {
        case .noRoom: "no-room"
        case .disk: "staging-failed"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .noRoom(let needed, let free):
            "The disk with the state folder has \(free >> 20) MiB free, \(needed >> 20) MiB are needed to take new site data. Those in use stay."
        case .disk(let error): "A file that is being fetched cannot be kept: \(error.message)"
        }
    }
}
