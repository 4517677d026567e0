import Credentials

/// What one presentation came to, before the lane has its say.
public enum PresentationResult: Equatable, Sendable {
    /// The conversation ended before the phone had proved itself.
    case unproven(Reason)
    /// The phone proved possession of its key; its credential was then refused.
    case refused(Reason)
    /// The phone proved possession of a key whose credential opens this lane.
    case verified
}
