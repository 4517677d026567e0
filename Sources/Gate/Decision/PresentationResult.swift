import Credentials

/// What one presentation came to, before the lane has its say.
public enum PresentationResult: Equatable, Sendable {
    /// The conversation ended before the phone had proved itself.
    case unproven(Reason)
    /// The phone proved possession of its key; its credential was then refused.
    case refused(Reason)
    /// The phone proved possession of a key whose credential opens this lane, but the lane wants one that
    /// is released only after user verification (V6).
    case lacksSecondFactor
    /// The phone proved possession of a key whose credential opens this lane.
    case verified

    /// What a phone that proved itself comes to. `wantsSecondFactor` is what it was told in this very
    /// conversation, so that what it signed and what it is judged by are the same.
    /// - Parameter isAllowed: whether the lane runs commands in the way in which the phone runs it (T11).
    public init(_ result: VerificationResult, wantsSecondFactor: Bool, isAllowed: Bool = true) {
        self = switch result {
        case .refused(let reason): .refused(reason)
        case .verified where !isAllowed: .refused(.commandNotAllowed)
        case .verified(let credential): wantsSecondFactor && !credential.userVerification ? .lacksSecondFactor : .verified
        }
    }
}
