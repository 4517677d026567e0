import Credentials
import Testing
import Vocabulary

/// What is said of a token that nobody has seen: what is against every token of the person, in the order of verification.
@Suite struct VerificationForesightTests {
    private static let now: Int64 = 1_800_000_000

    private func answer(isRevoked: Bool = false, generation: UInt64 = 1, age: Int64 = 60, served: Int64 = 0) -> TrustAnswer {
        var answer = TrustAnswer(issuer: nil, isRevoked: isRevoked, enrolled: [], generation: generation, publicationIssuedAt: Self.now - age)
        answer.servedSeconds = served
        return answer
    }

    private func foresee(_ answer: TrustAnswer, _ trust: ClockTrust = .synchronised) -> VerificationResult {
        Verification.foresee(anyTokenOf: "ada", answer: answer, clock: ClockReading(seconds: Self.now, trust: trust),
                             policy: VerificationPolicy(tokensRefusedAfter: 100))
    }

    @Test func whatIsAgainstEveryTokenIsSaid() {
        #expect(foresee(.absent) == .refused(.noSiteData))
        #expect(foresee(answer(isRevoked: true), .untrusted) == .refused(.clockUntrusted))
        #expect(foresee(answer(isRevoked: true, age: 101)) == .refused(.siteDataStale))
        #expect(foresee(answer(served: 101)) == .refused(.siteDataStale))
        #expect(foresee(answer(isRevoked: true)) == .refused(.revoked))
    }

    /// Nothing that it answers could be taken for a credential that somebody has.
    @Test func whatItAnswersIsNoCredential() {
        guard case .verified(let credential) = foresee(answer()) else {
            Issue.record("nothing is against it")
            return
        }
        #expect(credential.subject == "ada" && credential.identifier.isEmpty)
    }
}
