import Conversations
import Credentials
import Cryptography

/// Finds out whom a claim names: reads the credential, asks the site data, verifies.
///
/// A token that cannot be read, or that no trusted issuer has signed, names nobody: there is no
/// key to believe, so that the phone stays a stranger and learns nothing.
struct Identifier: Sendable {
    /// Where the gate stands.
    let place: Place
    /// What the site decided about the age of its data.
    let policy: VerificationPolicy
    /// Whether enrolled keys open while nobody vouches for the time.
    let enrolledNeedClock: Bool
    /// Answers questions about the site data.
    let ask: @Sendable (TrustQuestion) -> TrustAnswer

    /// Whom `claim` names at the time `clock`.
    func identify(_ claim: Claim, clock: ClockReading) -> Identification {
        guard let presented = claim.presented else { return .stranger(.malformed) }
        let answer = ask(TrustQuestion(about: presented))
        switch presented {
        case .token(let token): return identify(token, in: claim, answer, clock)
        case .key, .keyIdentifier: return identifyEnrolled(presented, in: claim, answer, clock)
        }
    }

    private func identify(_ token: Token, in claim: Claim, _ answer: TrustAnswer, _ clock: ClockReading) -> Identification {
        let result = Verification.verify(token: token, answer: answer, clock: clock, place: place,
                                         command: claim.request.command, policy: policy)
        if let reason = result.reason, reason.meansStranger { return .stranger(reason) }
        guard let peer = claim.candidates(for: .token(token), enrolled: []).first else {
            // The key beside the token is another one.
            return .stranger(result.reason ?? .unknownKey)
        }
        return .candidates([Candidate(peer: peer, result: result, identifier: token.identifier.bytes,
                                      subject: token.claims.subject)])
    }

    private func identifyEnrolled(_ presented: PresentedCredential, in claim: Claim, _ answer: TrustAnswer,
                                  _ clock: ClockReading) -> Identification {
        let candidates = answer.enrolled.flatMap { enrolled in
            claim.candidates(for: presented, enrolled: [enrolled.key]).map { peer in
                Candidate(peer: peer, result: verify(enrolled, answer, clock, claim), identifier: enrolled.key.key.thumbprint,
                          subject: enrolled.key.subject)
            }
        }
        guard candidates.isEmpty else { return .candidates(candidates) }
        return .stranger(answer.generation == 0 ? .noTrustData : .unknownKey)
    }

    private func verify(_ enrolled: TrustAnswer.EnrolledCandidate, _ answer: TrustAnswer, _ clock: ClockReading,
                        _ claim: Claim) -> VerificationResult {
        if enrolledNeedClock, clock.trust == .untrusted { return .refused(.clockUntrusted) }
        return Verification.verify(enrolled: enrolled, answer: answer, clock: clock, place: place,
                                   command: claim.request.command)
    }
}

extension Reason {
    /// Whether a token refused for this names nobody who could prove anything.
    var meansStranger: Bool {
        switch self {
        case .malformed, .noTrustData, .unknownIssuer, .badSignature: true
        case .granted, .clockUntrusted, .trustDataStale, .notYetValid, .expired, .wrongAudience, .scopeLacksCommand,
             .revoked, .unknownKey, .wrongKeyUse, .wrongRole, .badProof, .cooldownSuccess, .cooldownFailure, .secondFactor,
             .commandNotAllowed, .laneClosed, .busy, .laneFault, .readerFault, .auditUnavailable, .timeout, .cardRemoved,
             .wrongCarrier, .wrongLane, .protocolVersion, .protocolError, .noApplication, .phoneDeclined, .outcomeUnknown,
             .internalError:
            false
        }
    }
}
