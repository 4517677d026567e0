import Configuration
import Gate

extension LaneRules {
    /// The rules of a lane as its settings say.
    init(_ settings: LaneSettings) {
        self.init(pulse: Int64(settings.relay.pulseMilliseconds),
                  cooldownAfterSuccess: Int64(settings.cooldownSuccessMilliseconds),
                  cooldownAfterFailure: Int64(settings.cooldownFailureMilliseconds),
                  auditOnFailure: Gate.AuditFailurePolicy(settings.auditOnFailure))
    }
}

extension SecondFactorRule {
    /// The rule that an installer wrote down for a lane. `scheduled` without a name does not pass the check of the
    /// configuration; it would want a second factor always.
    init(_ settings: LaneSettings) {
        self = switch settings.secondFactor {
        case .never: .never
        case .always: .always
        case .scheduled: settings.secondFactorSchedule.map { .scheduled($0) } ?? .always
        }
    }
}

extension Gate.AuditFailurePolicy {
    /// The policy that an installer wrote down.
    init(_ policy: Configuration.AuditFailurePolicy) {
        self = switch policy {
        case .deny: .deny
        case .allow: .allow
        }
    }
}
