import Vocabulary

/// A mode that somebody wants for a lane: a schedule, a switch or an operator.
public struct ModeRequest: Hashable, Sendable {
    /// The mode.
    public let mode: LaneMode
    /// Which way it holds the lane open; nil where the lane's own setting says so, or where nothing is held.
    public let direction: Direction?
    /// When it is over by itself; nil when it is not.
    public let until: Instant?

    /// The request for `mode`.
    public init(_ mode: LaneMode, direction: Direction? = nil, until: Instant? = nil) {
        self.mode = mode
        self.direction = direction
        self.until = until
    }
}

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
