/// What is wanted of a lane's mode, by whom.
struct ModeWishes: Equatable, Sendable {
    /// What the schedules of the site want at this time.
    var schedule: ModeWish?
    /// What a phone has ordered.
    var phone: ModeWish?
    /// What an operator wants.
    var `operator`: ModeWish?
    /// Who wants it; nil where that was before the gate was started again.
    var asker: Asker?
}
