import Vocabulary

/// What a plan makes of a lane at a moment.
public struct LanePlanState: Hashable, Sendable {
    /// The mode.
    public let mode: LaneMode
    /// The direction of free passage or of a way held open; nil: what the lane is set to.
    public let direction: Direction?
    /// The schedule that decides; nil where none is in force.
    public let schedule: String?
    /// Whether the mode is only the strictest of those that may be right: nobody knows the time, or the site data lack the
    /// schedule or the zone.
    public let isGuess: Bool
    /// Whether the plan would open the lane, and waits for somebody to confirm the time.
    public let isWithheld: Bool

    /// A state of a lane.
    public init(mode: LaneMode, direction: Direction?, schedule: String?, isGuess: Bool, isWithheld: Bool = false) {
        self.mode = mode
        self.direction = direction
        self.schedule = schedule
        self.isGuess = isGuess
        self.isWithheld = isWithheld
    }

    /// The same at a time that nobody has confirmed: it opens nothing.
    public var unconfirmed: LanePlanState {
        guard mode.opens else { return self }
        return LanePlanState(mode: .normal, direction: nil, schedule: schedule, isGuess: isGuess, isWithheld: true)
    }

    /// What a lane is where nothing is planned.
    public static let normal = LanePlanState(mode: .normal, direction: nil, schedule: nil, isGuess: false)
}
