import Credentials
import Vocabulary

/// The decision about one presentation. Pure: everything it needs arrives as a value.
///
/// The order of reasons is part of the product (docs/architecture.md): whatever is wrong with
/// the phone or its credential comes first, so that a person who would never be let in is not told
/// to come back later; then when this person may pass, how the phone must come, and a second factor that is wanting; then
/// what is wrong with the lane, where the person is already, and last what a moment's wait fixes.
public enum Gatekeeper {
    /// Decides what `presentation` comes to on a lane in `condition` at `now`.
    /// - Parameter access: what the site's rules and anti-passback say about a person whose credential is good.
    public static func decide(_ presentation: PresentationResult, access: AccessJudgement = .allowed, on condition: LaneCondition,
                              at now: Instant) -> Decision {
        switch presentation {
        case .unproven(let reason): .denied(reason, by: .proof)
        case .refused(let reason): .denied(reason, by: .verification)
        case .unserved(let reason): outsideSchedule(access) ?? .denied(reason, by: .carrier)
        case .lacksSecondFactor: outsideSchedule(access) ?? .denied(.secondFactor, by: .secondFactor)
        case .verified: outsideSchedule(access) ?? shut(condition) ?? refused(access) ?? decideVerified(access, on: condition, at: now)
        }
    }

    /// Whether the lane is to be taken for this person, should nothing stand in its way.
    public static func wouldGrant(_ presentation: PresentationResult, access: AccessJudgement) -> Bool {
        switch (presentation, access) {
        case (.verified, .allowed): true
        case (.verified, .refused), (.unproven, _), (.refused, _), (.unserved, _), (.lacksSecondFactor, _): false
        }
    }

    /// Decides what stands of a grant once it is known whether the audit is durable: no relay
    /// moves unless the attempt is on disk, and none moves while the lane's previous outcome is
    /// not (rules 1 and 3 of docs/architecture.md). `onFailure` is the installer's policy for
    /// rule 1; rule 3 has none.
    public static func confirm(_ decision: Decision, audit: AuditCondition, onFailure: AuditFailurePolicy) -> Decision {
        guard decision.isGranted else { return decision }
        switch (audit, onFailure) {
        case (.durable, _), (.attemptNotDurable, .allow): return decision
        case (.attemptNotDurable, .deny), (.previousOutcomeNotDurable, _):
            return .denied(.auditUnavailable, by: .audit)
        }
    }

    /// What a phone is told that was lifted a little after its result, and comes back (T9). It is not served again before it was away, so that it is
    /// told no time.
    public static let notAway = Decision.denied(.cooldownSuccess, by: .cooldown)

    /// What becomes of a grant whose relay could not be driven.
    public static let relayFailed = Decision.denied(.laneFault, by: .lane)

    /// When a person may pass is told before everything about the lane.
    private static func outsideSchedule(_ access: AccessJudgement) -> Decision? {
        guard case .refused(let reason, by: .schedule) = access else { return nil }
        return .denied(reason, by: .schedule)
    }

    /// A lane at which nobody is granted now.
    private static func shut(_ condition: LaneCondition) -> Decision? {
        switch condition {
        case .outOfService: .denied(.laneFault, by: .lane)
        case .closed: .denied(.laneClosed, by: .lane)
        case .clear, .resting, .busy, .occupied: nil
        }
    }

    private static func refused(_ access: AccessJudgement) -> Decision? {
        switch access {
        case .allowed: nil
        case .refused(let reason, let rule): .denied(reason, by: rule)
        }
    }

    private static func decideVerified(_ access: AccessJudgement, on condition: LaneCondition, at now: Instant) -> Decision {
        switch (condition, access) {
        case (.busy, _): .denied(.busy, by: .lane)
        case (.occupied(let until), _): .denied(.busy, by: .lane, retryAfter: max(1, min(occupiedPause, until - now)))
        case (.resting(let cooldown), _): .denied(reason(of: cooldown.kind), by: .cooldown, retryAfter: cooldown.ends - now)
        case (.clear, .allowed(let notes)): .granted(notes: notes)
        // Both were answered before this.
        case (.clear, .refused(let reason, let rule)): .denied(reason, by: rule)
        case (.outOfService, _): .denied(.laneFault, by: .lane)
        case (.closed, _): .denied(.laneClosed, by: .lane)
        }
    }

    /// Milliseconds after which a phone is tried again whose lane lets somebody else through: they may pass before the
    /// relay's time is over. One that is over, and not ended yet, is waited for as short as can be said.
    private static let occupiedPause: Int64 = 500

    private static func reason(of kind: Cooldown.Kind) -> Reason {
        switch kind {
        case .success, .phone: .cooldownSuccess
        case .failure: .cooldownFailure
        }
    }
}

/// How far the audit of a grant has got when the relay is to move.
public enum AuditCondition: Equatable, Sendable {
    /// This attempt and the lane's previous outcome are on disk.
    case durable
    /// The attempt's record is not on disk in time (250 ms after the phone's proof by default).
    case attemptNotDurable
    /// The lane's previous outcome is still not on disk.
    case previousOutcomeNotDurable
}

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

/// What the site's rules and anti-passback say about a person whose credential is good, before the lane is asked.
public enum AccessJudgement: Equatable, Sendable {
    /// Nothing there is against it; `notes` are written into the record of the outcome (soft anti-passback).
    case allowed(notes: [Reason])
    /// Something is: why, and by which rule.
    case refused(Reason, by: Decision.Rule)

    /// Nothing is against it, and there is nothing to note.
    public static let allowed = AccessJudgement.allowed(notes: [])
}
