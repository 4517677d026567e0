/// Whether a lane raises alarms, and the one that it raises.
struct LaneAlarm: Equatable, Sendable {
    /// What began, and until when it is shown at least.
    struct Raised: Equatable, Sendable {
        let cause: AlarmCause
        let until: Instant
    }

    /// Alarms are raised; otherwise what would be one is recorded only.
    var isArmed = true
    /// The latest.
    var raised: Raised?
}
