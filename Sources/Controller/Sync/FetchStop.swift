import ControlProtocol
import Threads

/// Why a file was not fetched to its end.
enum FetchStop: Error, Equatable {
    /// Nothing that is to be used has come.
    case breach(FetchBreach)
    /// What came could not be kept.
    case disk(SystemError)
    /// The gate stops.
    case calledOff
    /// Another run comes first; what is there of the file stays.
    case gaveWay

    /// Whether the connection can be used for the next file. Of what was called off bytes may still come.
    var leavesConnection: Bool {
        switch self {
        case .breach(let breach): breach.leavesConnection
        case .disk, .calledOff, .gaveWay: false
        }
    }
}
