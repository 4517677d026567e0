import Credentials

/// The decision about one presentation. Pure: everything it needs arrives as a value.
///
/// The order of reasons is part of the product (docs/architecture.md): whatever is wrong with
/// the phone or its credential comes first, so that a person who would never be let in is not told
/// to come back later (a second factor that is wanting among it); then what is wrong with the lane, then the cooldowns.
public enum Gatekeeper {
    /// Decides what `presentation` comes to on a lane in `condition` at `now`.
    public static func decide(_ presentation: PresentationResult, on condition: LaneCondition, at now: Instant) -> Decision {
        switch presentation {
        case .unproven(let reason): .denied(reason, by: .proof)
        case .refused(let reason): .denied(reason, by: .verification)
        case .lacksSecondFactor: .denied(.secondFactor, by: .secondFactor)
        case .verified: decideVerified(on: condition, at: now)
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

    /// What becomes of a grant whose relay could not be driven.
    public static let relayFailed = Decision.denied(.laneFault, by: .lane)

    private static func decideVerified(on condition: LaneCondition, at now: Instant) -> Decision {
        switch condition {
        case .clear: .granted()
        case .resting(let cooldown): .denied(reason(of: cooldown.kind), by: .cooldown, retryAfter: cooldown.ends - now)
        case .busy: .denied(.busy, by: .lane)
        case .outOfService: .denied(.laneFault, by: .lane)
        }
    }

    private static func reason(of kind: Cooldown.Kind) -> Reason {
        switch kind {
        case .success: .cooldownSuccess
        case .failure: .cooldownFailure
        }
    }
}
