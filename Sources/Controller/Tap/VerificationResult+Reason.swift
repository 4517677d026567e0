import Credentials

extension VerificationResult {
    /// Why it was refused; nil when it was not.
    var reason: Reason? {
        switch self {
        case .verified: nil
        case .refused(let reason): reason
        }
    }
}
