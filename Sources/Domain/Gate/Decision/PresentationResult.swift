import Credentials

/// What one presentation came to, before the lane has its say.
public enum PresentationResult: Equatable, Sendable {
    /// The conversation ended before the phone had proved itself.
    case unproven(Reason)
    /// The phone proved possession of its key; its credential was then refused.
    case refused(Reason)
    /// The phone proved possession of a key whose credential opens this lane, but the lane does not serve it over this
    /// carrier, or in the state in which it says it is (T2).
    case unserved(Reason)
    /// The phone proved possession of a key whose credential opens this lane, but the lane wants one that
    /// is released only after user verification (V6).
    case lacksSecondFactor
    /// The phone proved possession of a key whose credential opens this lane.
    case verified

    /// What a UID-only card comes to whose number is good, in the words of the other initialiser: a card is no second factor.
    public init(ofAnyCard wantsSecondFactor: Bool, isAllowed: Bool, carrier: CarrierVerdict) {
        self = switch carrier {
        case _ where !isAllowed: .refused(.commandNotAllowed)
        case .refused(let reason): .unserved(reason)
        case .served: wantsSecondFactor ? .lacksSecondFactor : .verified
        }
    }

    /// What a phone that proved itself comes to. `wantsSecondFactor` is what it was told in this very
    /// conversation, so that what it signed and what it is judged by are the same.
    /// - Parameters:
    ///   - isAllowed: whether the lane runs commands in the way in which the phone runs it (T11).
    ///   - carrier: whether the lane serves the phone in the way in which it came (T2). Told before a second factor: over another
    ///     carrier the phone may show another key.
    public init(_ result: VerificationResult, wantsSecondFactor: Bool, isAllowed: Bool = true, carrier: CarrierVerdict = .served) {
        self = switch (result, carrier) {
        case (.refused(let reason), _): .refused(reason)
        case (.verified, _) where !isAllowed: .refused(.commandNotAllowed)
        case (.verified, .refused(let reason)): .unserved(reason)
        case (.verified(let credential), .served): wantsSecondFactor && !credential.userVerification ? .lacksSecondFactor : .verified
        }
    }
}
