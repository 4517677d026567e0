extension Verification {
    /// What a token of a person would come to that is good in itself, for whoever asks before there is one to look at: whether something is
    /// against every token of theirs. It names no token and no key, so that nobody proves anything by it.
    /// - Parameter answer: to a question about the revocations of the person.
    public static func foresee(anyTokenOf subject: String, answer: TrustAnswer, clock: ClockReading, command: String,
                               policy: VerificationPolicy) -> VerificationResult {
        guard answer.generation > 0 else { return .refused(.noSiteData) }
        if let reason = clockFault(answer, clock, policy) ?? (answer.isRevoked ? .revoked : nil) { return .refused(reason) }
        return .verified(VerifiedCredential(subject: subject, kind: .enrolled(thumbprint: []), key: nil, keyUse: nil, command: command,
                                            userVerification: true, generation: answer.generation))
    }
}
