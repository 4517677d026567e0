import Credentials

extension VerificationResult {
    /// The generation of the site data that verified it; nil when it was refused.
    var generation: UInt64? {
        switch self {
        case .verified(let credential): credential.generation
        case .refused: nil
        }
    }

    /// Why it was refused; nil when it was not.
    var reason: Reason? {
        switch self {
        case .verified: nil
        case .refused(let reason): reason
        }
    }
}
