/// What is wanted of a lane's mode, by whom.
struct ModeRequests: Equatable, Sendable {
    /// What the schedules of the site want at this time.
    var schedule: ModeRequest?
    /// What a phone has ordered.
    var phone: ModeRequest?
    /// What an operator wants.
    var `operator`: ModeRequest?
    /// Who wants it; nil where that was before the gate was started again.
    var requester: Requester?
}
