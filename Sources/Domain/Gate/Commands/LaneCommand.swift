/// A command that phones may run at a lane, as its installer wrote it down (T10, A1).
public struct LaneCommand: Hashable, Sendable {
    /// Its name, which the scope of a credential must have.
    public let name: String
    /// What the lane does.
    public let action: CommandAction
    /// Whether a key is wanted that is released after user verification only, whatever the lane wants of those who pass.
    public let wantsSecondFactor: Bool
    /// The schedule during which it is run; nil: at all times. One that the gate does not have is never in force.
    public let schedule: String?

    /// A command of that name.
    public init(_ name: String, _ action: CommandAction, wantsSecondFactor: Bool, schedule: String? = nil) {
        self.name = name
        self.action = action
        self.wantsSecondFactor = wantsSecondFactor
        self.schedule = schedule
    }

    /// Whether a phone may run it without its owner's doing anything. Only who passes is let through so: near a gate one is soon.
    public var mayRunByItself: Bool { action.isPassage }
}
