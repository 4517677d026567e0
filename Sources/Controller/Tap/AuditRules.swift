import Configuration
import Gate

/// What an installer decided about the audit of one lane's grants. Times are milliseconds.
struct AuditRules: Equatable, Sendable {
    /// What happens when an attempt cannot be made durable.
    let onFailure: Gate.AuditFailurePolicy
    /// How long the relay waits for the outcome's commit.
    let outcomeWait: Int
    /// How long after the phone's proof the attempt's commit may take.
    let durableWithin: Int64

    /// The rules of a lane as the settings say.
    init(_ settings: AuditSettings, lane: LaneSettings) {
        onFailure = Gate.AuditFailurePolicy(lane.auditOnFailure)
        outcomeWait = settings.waitMilliseconds
        durableWithin = Int64(settings.durableWithinMilliseconds)
    }
}
