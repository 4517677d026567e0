/// What an installer has decided for one lane. Times are milliseconds.
public struct LaneRules: Equatable, Sendable {
    /// How long the relay is energised (L1).
    public let pulse: Int64
    /// Minimum delay after a success (T7); 0 switches it off.
    public let cooldownAfterSuccess: Int64
    /// Minimum delay after a failure (T8); 0 switches it off.
    public let cooldownAfterFailure: Int64
    /// How long granted or denied is shown.
    public let display: Int64
    /// What becomes of an attempt that cannot be made durable.
    public let auditOnFailure: AuditFailurePolicy

    /// Defaults are those of requirements L1, T7 and T8.
    public init(pulse: Int64 = 500, cooldownAfterSuccess: Int64 = 2000, cooldownAfterFailure: Int64 = 500,
                display: Int64 = 1000, auditOnFailure: AuditFailurePolicy = .deny) {
        self.pulse = pulse
        self.cooldownAfterSuccess = cooldownAfterSuccess
        self.cooldownAfterFailure = cooldownAfterFailure
        self.display = display
        self.auditOnFailure = auditOnFailure
    }
}
