/// `[[lane.command]]`: a command that phones may run at a lane.
public struct CommandSettings: Hashable, Sendable {
    /// What a lane does. The raw value is the word of the file.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        case pass
        case passOut = "pass-out"
        case holdOpen = "hold-open"
        case lockDown = "lock-down"
        case normal
        case on
        case off
        case toggle
        case recordOnly = "record-only"

        /// Whether it is about an output.
        var isOfOutput: Bool {
            switch self {
            case .on, .off, .toggle: true
            case .pass, .passOut, .holdOpen, .lockDown, .normal, .recordOnly: false
            }
        }
    }

    /// The name that scopes of credentials have. Names differ within a lane. 1–32 letters, digits, `.`, `_`, `-`.
    public var name: String
    public var action: Action
    /// The `[[lane.output]]` that `on`, `off` and `toggle` are about; nil for the others.
    public var output: String?
    /// How long `hold-open` and `lock-down` last, in minutes, 1–1440.
    public var minutes: Int
    /// Whether it wants a second factor; nil: as ever, which is for all but passing.
    public var secondFactor: Bool?
    /// The schedule during which it is run; nil: at all times.
    public var schedule: String?

    public init(name: String, action: Action, output: String?, minutes: Int, secondFactor: Bool?, schedule: String?) {
        self.name = name
        self.action = action
        self.output = output
        self.minutes = minutes
        self.secondFactor = secondFactor
        self.schedule = schedule
    }
}
