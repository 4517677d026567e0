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
        switch presented(by: claim) {
        case .failure(let fault): .stranger(fault.reason)
        case .success(let credential): identify(credential, claim, clock)
        }
    }

    private func identify(_ credential: Presented, _ claim: Claim, _ clock: ClockReading) -> Identification {
        let answer = ask(TrustQuestion(about: credential.credential))
        switch credential.credential {
        case .token(let token):
            return identify(token, shownAs: credential.shown, answer, claim, clock)
        case .key, .keyIdentifier:
            return identifyEnrolled(answer, shownAs: credential.shown, claim, clock)
        }
    }

    private func identify(_ token: Token, shownAs shown: [UInt8]?, _ answer: TrustAnswer, _ claim: Claim,
                          _ clock: ClockReading) -> Identification {
        let result = Verification.verify(token: token, answer: answer, clock: clock, place: place,
                                         command: claim.request.command, policy: policy)
        if case .refused(let reason) = result, reason.meansStranger { return .stranger(reason) }
        let key = token.claims.confirmationKey
        return .candidates([Candidate(
            peer: PeerCredential(credential: shown ?? token.raw, key: key.key, use: key.use), result: result,
            identifier: token.identifier.bytes, subject: token.claims.subject)])
    }

    private func identifyEnrolled(_ answer: TrustAnswer, shownAs shown: [UInt8]?, _ claim: Claim,
                                  _ clock: ClockReading) -> Identification {
        guard !answer.enrolled.isEmpty else {
            return .stranger(answer.generation == 0 ? .noTrustData : .unknownKey)
        }
        return .candidates(answer.enrolled.map { candidate in
            let key = candidate.key
            let result = enrolledNeedClock && clock.trust == .untrusted
                ? .refused(.clockUntrusted)
                : Verification.verify(enrolled: candidate, answer: answer, clock: clock, place: place,
                                      command: claim.request.command)
            return Candidate(peer: PeerCredential(credential: shown ?? key.credential, key: key.key, use: key.use),
                             result: result, identifier: key.key.thumbprint, subject: key.subject)
        })
    }

    /// A credential as presented, with CRED_I where the claim gave it by value.
    private struct Presented {
        let credential: PresentedCredential
        let shown: [UInt8]?
    }

    /// Why what the claim carries is no credential.
    private struct Unreadable: Error {
        let reason: Reason
    }

    private func presented(by claim: Claim) -> Result<Presented, Unreadable> {
        switch (claim.credential, claim.accompanyingToken) {
        case (.token(let bytes), _):
            return token(bytes).map { Presented(credential: .token($0), shown: nil) }
        case (.claims(let bytes), nil):
            return confirmedKey(bytes).map { Presented(credential: .key($0), shown: bytes) }
        case (.claims(let bytes), .some(let accompanying)):
            return token(accompanying).flatMap { token in
                confirmedKey(bytes).flatMap { shown in
                    shown.key.key == token.claims.confirmationKey.key
                        ? .success(Presented(credential: .token(token), shown: bytes)) : .failure(Unreadable(reason: .unknownKey))
                }
            }
        case (.keyIdentifier(let identifier), _):
            return .success(Presented(credential: .keyIdentifier(identifier), shown: nil))
        }
    }

    private func token(_ bytes: [UInt8]) -> Result<Token, Unreadable> {
        guard let token = try? Token(parsing: bytes) else { return .failure(Unreadable(reason: .malformed)) }
        return .success(token)
    }

    private func confirmedKey(_ bytes: [UInt8]) -> Result<ConfirmedKeyCredential, Unreadable> {
        guard let credential = try? ConfirmedKeyCredential(parsing: bytes) else { return .failure(Unreadable(reason: .malformed)) }
        return .success(credential)
    }
}

extension Reason {
    /// Whether a token refused for this names nobody who could prove anything.
    var meansStranger: Bool {
        switch self {
        case .malformed, .noTrustData, .unknownIssuer, .badSignature: true
        case .granted, .clockUntrusted, .trustDataStale, .notYetValid, .expired, .wrongAudience, .scopeLacksCommand,
             .revoked, .unknownKey, .wrongKeyUse, .badProof, .cooldownSuccess, .cooldownFailure, .secondFactor,
             .commandNotAllowed, .laneClosed, .busy, .laneFault, .readerFault, .auditUnavailable, .timeout, .cardRemoved,
             .wrongCarrier, .wrongLane, .protocolVersion, .protocolError, .noApplication, .phoneDeclined, .outcomeUnknown,
             .internalError:
            false
        }
    }
}
