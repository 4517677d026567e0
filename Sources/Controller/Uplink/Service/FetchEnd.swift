import ControlProtocol
import Threads

/// Why a connection of whoever fetches has ended.
public enum FetchEnd: Error, Hashable, Sendable {
    /// The other side hung up.
    case closed
    /// A signal asked for it.
    case asked
    /// The other side said what is no frame.
    case broken(FetchFrameError)
    /// It said what it has no right to say, or not then.
    case unexpected
    /// libcurl cannot be had.
    case noLibrary
    /// The system would not go on.
    case system(SystemError)

    /// Stable, for operators to search for; nil where nothing is wrong.
    public var code: String? {
        switch self {
        case .closed, .asked: nil
        case .broken(let error): error.code
        case .unexpected: "fetcher-protocol"
        case .noLibrary: "net-no-memory"
        case .system(let error): error.code
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .closed: "The other side has hung up."
        case .asked: "It was asked to end."
        case .broken(let error): error.message
        case .unexpected: "The other side said something out of its turn."
        case .noLibrary: "There is no memory for libcurl."
        case .system(let error): error.message
        }
    }
}
