import ControlProtocol
import Encoding
import SiteData

extension FetchFailure {
    /// What an update is told of a fetch that was broken off.
    static func of(_ error: any Error) -> FetchFailure {
        switch error {
        case let breach as FetchBreach where breach.code == FetchBreach.endless.code: .endless
        case let breach as FetchBreach where breach.code == FetchBreach.slow.code: .slow
        case let breach as FetchBreach: .unavailable("\(breach.code): \(breach.message)")
        case let wrong as FrameError: .unavailable(wrong.message)
        default: .unavailable("It was broken off.")
        }
    }
}
