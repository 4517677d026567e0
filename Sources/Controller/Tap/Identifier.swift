import Credentials
import Cryptography
import PhoneProtocol
import Vocabulary

/// Finds out whom a claim names: reads the credential, asks the site data, verifies.
///
/// A token that cannot be read, or that no trusted issuer has signed, names nobody: there is no
/// key to believe, so that the phone stays a stranger and learns nothing.
package struct Identifier: Sendable {
    /// Where the gate stands.
    package let place: Place
    /// What the site decided about the age of its data.
    package let policy: VerificationPolicy
    /// Whether enrolled keys open while nobody vouches for the time.
    let enrolledNeedClock: Bool
    /// Whether a schedule is in force at a reading of the clock, by the site data of that generation.
    let isInForce: @Sendable (String, ClockReading, UInt64) -> Bool
    /// The token that a reference names, if this gate knows it.
    let known: @Sendable ([UInt8]) -> KnownToken?
    /// Answers questions about the site data.
    package let ask: @Sendable (TrustQuestion) -> TrustAnswer

    package init(place: Place, policy: VerificationPolicy, enrolledNeedClock: Bool,
                 isInForce: @escaping @Sendable (String, ClockReading, UInt64) -> Bool = { _, _, _ in false },
                 known: @escaping @Sendable ([UInt8]) -> KnownToken?,
                 ask: @escaping @Sendable (TrustQuestion) -> TrustAnswer) {
        self.place = place
        self.policy = policy
        self.enrolledNeedClock = enrolledNeedClock
        self.isInForce = isInForce
        self.known = known
        self.ask = ask
    }

    /// Whom `claim` names at the time `clock`.
    func identify(_ claim: Claim, clock: ClockReading) -> Identification {
        guard let presented = claim.presented else { return .stranger(.malformed) }
        let command = claim.request.command
        switch presented {
        case .token(let token), .tokenBesideKey(let token, _), .tokenBesideReference(let token, _):
            return identify(token, presented, ask(TrustQuestion(about: presented)), clock, command)
        case .key:
            let answer = ask(TrustQuestion(about: presented))
            return identification(of: enrolled(presented, answer, clock, command), answer)
        case .keyIdentifier(let reference):
            return identify(reference, presented, clock, command)
        }
    }

    /// A reference may be that of enrolled keys and of a token at once. Those in the site data are tried first: a
    /// token that somebody brought takes the place of none of them.
    private func identify(_ reference: [UInt8], _ presented: PresentedCredential, _ clock: ClockReading,
                          _ command: String) -> Identification {
        let known = known(reference)
        let answer = ask(TrustQuestion(about: reference, known: known?.token))
        var candidates = enrolled(presented, answer, clock, command)
        if let known, candidates.count < PeerCredential.maximumCandidates,
           let candidate = candidate(known, answer, clock, command) {
            candidates.append(candidate)
        }
        return identification(of: candidates, answer)
    }

    /// A token by reference; nil where other site data have come since it was verified.
    private func candidate(_ known: KnownToken, _ answer: TrustAnswer, _ clock: ClockReading, _ command: String) -> Candidate? {
        guard known.generation == answer.generation else { return nil }
        let token = known.token
        let holder = holder(of: token, verifiedIn: known.generation, answer, clock, command: command)
        if let reason = holder.result.reason, reason.meansStranger { return nil }
        return Candidate(peer: PeerCredential(token.claims.confirmationKey, in: token.raw), holder: holder)
    }

    /// Whose a token is, and what is against it.
    /// - Parameter generation: under which its issuer's signature was verified before.
    package func holder(of token: Token, verifiedIn generation: UInt64? = nil, _ answer: TrustAnswer, _ clock: ClockReading, command: String) -> Holder {
        let isInForce = { (schedule: String) in self.isInForce(schedule, clock, answer.generation) }
        let result = Verification.verify(token: token, verifiedIn: generation, answer: answer, clock: clock, place: place,
                                         command: command, policy: policy, isInForce: isInForce)
        let excess = result.reason == .beyondCeiling ? answer.issuer?.ceiling?.excess(of: token.claims, clock: clock, isInForce: isInForce) : nil
        return Holder(result: result, identifier: token.identifier.bytes, subject: token.claims.subject, groups: answer.groups,
                      verifiedToken: result.generation.map { KnownToken(token: token, generation: $0) }, excess: excess)
    }

    private func identify(_ token: Token, _ presented: PresentedCredential, _ answer: TrustAnswer, _ clock: ClockReading,
                          _ command: String) -> Identification {
        let holder = holder(of: token, answer, clock, command: command)
        if let reason = holder.result.reason, reason.meansStranger { return .stranger(reason) }
        guard let peer = presented.tokenPeer else {
            // The key beside the token is another one.
            return .stranger(holder.result.reason ?? .unknownKey)
        }
        return .candidates([Candidate(peer: peer, holder: holder)])
    }

    private func enrolled(_ presented: PresentedCredential, _ answer: TrustAnswer, _ clock: ClockReading,
                          _ command: String) -> [Candidate] {
        answer.enrolled.compactMap { enrolled -> Candidate? in
            guard let peer = presented.peer(of: enrolled.key) else { return nil }
            return Candidate(peer: peer, holder: holder(of: enrolled, answer, clock, command: command))
        }
    }

    /// Whose an enrolled key is, and what is against it.
    package func holder(of enrolled: TrustAnswer.EnrolledCandidate, _ answer: TrustAnswer, _ clock: ClockReading, command: String) -> Holder {
        Holder(result: verify(enrolled, answer, clock, command), identifier: enrolled.thumbprint, subject: enrolled.key.subject,
               groups: enrolled.groups)
    }

    private func identification(of candidates: [Candidate], _ answer: TrustAnswer) -> Identification {
        candidates.isEmpty ? .stranger(Self.unknown(answer)) : .candidates(candidates)
    }

    private static func unknown(_ answer: TrustAnswer) -> Reason { answer.generation == 0 ? .noSiteData : .unknownKey }

    /// Whose the UID-only card is at the time `clock`.
    func identify(_ card: UIDOnlyCardNumber, clock: ClockReading) -> CardIdentification {
        let answer = ask(TrustQuestion(about: card))
        guard let known = answer.card else { return .stranger(Self.unknown(answer)) }
        return .holder(holder(of: known, answer, clock))
    }

    /// Whose a UID-only card is, and what is against it.
    package func holder(of known: TrustAnswer.CardCandidate, _ answer: TrustAnswer, _ clock: ClockReading) -> Holder {
        let result: VerificationResult = enrolledNeedClock && clock.trust == .untrusted ? .refused(.clockUntrusted)
            : Verification.verify(card: known, answer: answer, clock: clock, place: place)
        return Holder(result: result, identifier: known.card.number.identifier, subject: known.card.subject, groups: known.groups)
    }

    private func verify(_ enrolled: TrustAnswer.EnrolledCandidate, _ answer: TrustAnswer, _ clock: ClockReading,
                        _ command: String) -> VerificationResult {
        if enrolledNeedClock, clock.trust == .untrusted { return .refused(.clockUntrusted) }
        return Verification.verify(enrolled: enrolled, answer: answer, clock: clock, place: place, command: command)
    }
}

extension Reason {
    /// Whether a token refused for this names nobody who could prove anything.
    var meansStranger: Bool {
        switch self {
        case .malformed, .noSiteData, .unknownIssuer, .badSignature: true
        case .granted, .clockUntrusted, .siteDataStale, .notYetValid, .expired, .wrongAudience, .scopeLacksCommand,
             .beyondCeiling, .revoked, .keyWellKnown, .unknownKey, .wrongKeyUse, .wrongRole, .badProof, .cooldownSuccess, .cooldownFailure, .secondFactor,
             .outsideSchedule, .antiPassback, .zoneFull, .useNFC, .appInBackground, .phoneLocked, .uidOnlyCardsOff,
             .commandNotAllowed, .laneClosed, .busy, .laneFault, .readerFault, .auditUnavailable, .timeout, .cardRemoved,
             .wrongCarrier, .wrongLane, .protocolVersion, .protocolError, .noApplication, .phoneDeclined, .outcomeUnknown,
             .internalError:
            false
        }
    }
}
