import Credentials
import Readers

extension Reason {
    /// The true reason of a link that brought no answer.
    package init(_ error: LinkError) {
        self = switch error {
        case .timedOut: .timeout
        case .cardGone: .cardRemoved
        case .readerGone, .serviceGone, .failed: .readerFault
        }
    }
}
