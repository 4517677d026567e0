import Vocabulary

extension Verification {
    /// What a token of a person would come to that is good in itself, for whoever asks before there is one to look at: whether something is
    /// against every token of theirs. It names no token and no key, so that nobody proves anything by it.
    /// - Parameter answer: to a question about the revocations of the person.
    public static func foresee(anyTokenOf subject: String, answer: TrustAnswer, clock: ClockReading,
                               policy: VerificationPolicy) -> VerificationResult {
        guard answer.generation > 0 else { return .refused(.noSiteData) }
        if let reason = clockFault(answer, clock, policy) ?? (answer.isRevoked ? .revoked : nil) { return .refused(reason) }
        return .verified(VerifiedCredential(subject: subject, kind: .enrolled(thumbprint: []), userVerification: true, generation: answer.generation))
    }
}

/// What verification answers: never a plain yes or no.
public enum VerificationResult: Hashable, Sendable {
    /// The credential is good for the command at this place and time.
    case verified(VerifiedCredential)
    /// It is not, for this reason: the first in the order of `Verification`.
    case refused(Reason)
}

/// What a site decides about the age of its data.
public struct VerificationPolicy: Hashable, Sendable {
    /// Tokens are refused when the site data are older than this many seconds.
    public let tokensRefusedAfter: Int64

    /// A policy; the default refuses tokens after 30 days.
    public init(tokensRefusedAfter: Int64 = 30 * 86400) {
        self.tokensRefusedAfter = tokensRefusedAfter
    }
}
