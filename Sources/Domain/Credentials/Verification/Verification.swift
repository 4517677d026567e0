import Cryptography
import Encoding
import Vocabulary

/// The verification of a credential, offline (requirements V1 to V3). It is pure: site data and time
/// come as values.
///
/// A credential with several faults is refused for the first of them in this order:
///
/// 1. `malformed`: reading the bytes failed, so that there is no `Token` to ask about
/// 2. `no-trust-data`: this gate has no site data
/// 3. `unknown-issuer`
/// 4. `bad-signature`
/// 5. `clock-untrusted`: tokens only; enrolled keys open without a trusted clock
/// 6. `trust-data-stale`: tokens only
/// 7. `not-yet-valid`, 8. `expired`: valid while nbf ≤ now < exp, without any leeway
/// 9. `wrong-audience`
/// 10. `scope-lacks-command`
/// 11. `beyond-ceiling`: tokens only, whatever the issuer may not say
/// 12. `revoked`
/// 13. `key-well-known`: everybody has the private half, so that a proof of it proves nobody
/// 14. `unknown-key`: no enrolled key fits; or the token is for another key than the one beside it, which whoever
///     holds the conversation says
/// 15. `bad-proof`: whoever holds the conversation says so, after all of these
///
/// The time limits of an enrolled key are checked against the reading even when the clock is not
/// trusted: it is never below the floor, so that what it calls expired is expired.
public enum Verification {
    /// Verifies a token for a command at a place. `verifiedIn` is the generation of the site data that has
    /// verified the issuer's signature before: under the same generation, and no other, it is not verified
    /// again. Everything else is.
    /// - Parameter isInForce: whether a schedule is, by the site data that `answer` is of; without it none is.
    public static func verify(token: Token, verifiedIn generation: UInt64? = nil, answer: TrustAnswer,
                              clock: ClockReading, place: Place, command: String,
                              policy: VerificationPolicy = VerificationPolicy(),
                              isInForce: (String) -> Bool = { _ in false }) -> VerificationResult {
        let claims = token.claims
        if let reason = originFault(token, answer, verifiedIn: generation) ?? clockFault(answer, clock, policy)
            ?? timeFault(claims.notBefore, claims.expiresAt, clock)
            ?? rightsFault(claims.audiences, claims.scope, place, command) {
            return .refused(reason)
        }
        if answer.issuer?.ceiling?.excess(of: claims, clock: clock, isInForce: isInForce) != nil { return .refused(.beyondCeiling) }
        if answer.isRevoked { return .refused(.revoked) }
        if token.confirmationKey.isWellKnown { return .refused(.keyWellKnown) }
        return .verified(VerifiedCredential(
            subject: claims.subject, kind: .token(token.identifier, issuer: claims.issuer),
            userVerification: claims.userVerification, generation: answer.generation))
    }

    /// Verifies an enrolled key, one of `answer.enrolled`; nil when there is none.
    public static func verify(enrolled candidate: TrustAnswer.EnrolledCandidate?, answer: TrustAnswer,
                              clock: ClockReading, place: Place, command: String) -> VerificationResult {
        guard answer.generation > 0 else { return .refused(.noSiteData) }
        guard let candidate else { return .refused(.unknownKey) }
        let key = candidate.key
        let coversPlace = key.audiences.isEmpty ? place.audiences : key.audiences
        if let reason = timeFault(key.notBefore ?? .min, key.expiresAt ?? .max, clock)
            ?? rightsFault(coversPlace, key.scope, place, command) {
            return .refused(reason)
        }
        if candidate.isRevoked { return .refused(.revoked) }
        if key.key.isWellKnown { return .refused(.keyWellKnown) }
        return .verified(VerifiedCredential(
            subject: key.subject, kind: .enrolled(thumbprint: candidate.thumbprint),
            userVerification: key.userVerification, generation: answer.generation))
    }

    /// Verifies a UID-only card, one that `answer` has; nil when there is none. Like an enrolled key, for the one command that it may run.
    public static func verify(card candidate: TrustAnswer.CardCandidate?, answer: TrustAnswer, clock: ClockReading,
                              place: Place) -> VerificationResult {
        guard answer.generation > 0 else { return .refused(.noSiteData) }
        guard let candidate else { return .refused(.unknownKey) }
        let card = candidate.card
        let coversPlace = card.audiences.isEmpty ? place.audiences : card.audiences
        if let reason = timeFault(card.notBefore ?? .min, card.expiresAt ?? .max, clock)
            ?? rightsFault(coversPlace, [UIDOnlyCard.command], place, UIDOnlyCard.command) {
            return .refused(reason)
        }
        if candidate.isRevoked { return .refused(.revoked) }
        return .verified(VerifiedCredential(
            subject: card.subject, kind: .uidOnlyCard(identifier: card.number.identifier),
            userVerification: false, generation: answer.generation))
    }

    private static func originFault(_ token: Token, _ answer: TrustAnswer, verifiedIn generation: UInt64?) -> Reason? {
        guard answer.generation > 0 else { return .noSiteData }
        guard let issuer = answer.issuer, issuer.name.hasSameBytes(as: token.issuer), !issuer.key.isWellKnown else { return .unknownIssuer }
        if let generation, generation == answer.generation { return nil }
        return token.isSigned(by: issuer.key) ? nil : .badSignature
    }

    static func clockFault(_ answer: TrustAnswer, _ clock: ClockReading,
                           _ policy: VerificationPolicy) -> Reason? {
        guard clock.trust != .untrusted else { return .clockUntrusted }
        guard let issuedAt = answer.publicationIssuedAt else { return .siteDataStale }
        let (age, overflow) = clock.seconds.subtractingReportingOverflow(issuedAt)
        return overflow || max(age, answer.servedSeconds) > policy.tokensRefusedAfter ? .siteDataStale : nil
    }

    private static func timeFault(_ notBefore: Int64, _ expiresAt: Int64, _ clock: ClockReading) -> Reason? {
        if clock.seconds < notBefore { return .notYetValid }
        return clock.seconds < expiresAt ? nil : .expired
    }

    private static func rightsFault(_ audiences: [String], _ scope: [String], _ place: Place,
                                    _ command: String) -> Reason? {
        guard place.isCovered(by: audiences) else { return .wrongAudience }
        return scope.contains { $0.hasSameBytes(as: command) } ? nil : .scopeLacksCommand
    }
}

/// Where a gate stands: the rule for audiences.
///
/// An audience is `tapstile:` and a path of names: `tapstile:SITE`, `tapstile:SITE/ZONE` or
/// `tapstile:SITE/ZONE/LANE`. It covers everything below it: a token for a site opens every lane of
/// the site. A lane that lies in no zone has `-` in the place of the zone. Names have no `/`.
/// Comparison is byte by byte; audiences of any other form cover nothing here.
public struct Place: Hashable, Sendable {
    /// The site.
    public let site: String
    /// The zone, if the lane lies in one.
    public let zone: String?
    /// The lane.
    public let lane: String
    /// The audiences that cover this place, widest first, made once.
    public let audiences: [String]

    /// The place of a lane.
    public init(site: String, zone: String?, lane: String) {
        self.site = site
        self.zone = zone
        self.lane = lane
        let siteAudience = Self.scheme + site
        let zoneAudience = siteAudience + "/" + (zone ?? "-")
        audiences = [siteAudience, zoneAudience, zoneAudience + "/" + lane]
    }

    /// What every audience of this product begins with.
    public static let scheme = "tapstile:"

    /// Whether a text has the form of an audience that gates compare: site, zone and lane, or the first ones of them.
    public static func isAudience(_ text: String) -> Bool {
        guard text.hasPrefix(scheme), text.utf8.count <= 256 else { return false }
        let names = text.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        return (1...3).contains(names.count) && names.allSatisfy { !$0.isEmpty && NameRule.allows(String($0)) }
    }

    /// Whether whoever may pass at the first audience may pass at the second.
    package static func covers(_ wide: String, _ narrow: String) -> Bool {
        wide.hasSameBytes(as: narrow) || narrow.utf8.count > wide.utf8.count && narrow.utf8.starts(with: wide.utf8)
            && narrow.utf8.dropFirst(wide.utf8.count).first == UInt8(ascii: "/")
    }

    /// Whether one of these audiences covers this place.
    public func isCovered(by given: [String]) -> Bool {
        given.contains { audience in audiences.contains { $0.hasSameBytes(as: audience) } }
    }
}
