import ReaderProtocol
import Threads

/// Why a connection of the gate has ended.
public enum WireEnd: Error, Hashable, Sendable {
    /// The gate hung up.
    case closed
    /// A signal asked for it.
    case asked
    /// The gate said what is no frame.
    case broken(ReaderFrameError)
    /// The gate said what it has no right to say, or not then.
    case unexpected
    /// The gate said more than it waited for.
    case flooded
    /// The system would not go on.
    case system(SystemError)

    /// Stable, for operators to search for; nil where nothing is wrong.
    public var code: String? {
        switch self {
        case .closed, .asked: nil
        case .broken(let error): error.code
        case .unexpected, .flooded: "nfc-protocol"
        case .system(let error): error.code
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .closed: "The gate has hung up."
        case .asked: "It was asked to end."
        case .broken(let error): error.message
        case .unexpected: "The gate said something out of its turn."
        case .flooded: "The gate said more than it waited for."
        case .system(let error): error.message
        }
    }
}
