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

extension Gate.AuditFailurePolicy {
    /// The policy that an installer wrote down.
    init(_ policy: Configuration.AuditFailurePolicy) {
        self = switch policy {
        case .deny: .deny
        case .allow: .allow
        }
    }
}
