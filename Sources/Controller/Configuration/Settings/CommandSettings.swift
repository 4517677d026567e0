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

        /// What its time may be, in minutes; nil where nothing lasts. What opens or shuts a lane is over within a day.
        var minutes: ClosedRange<Int>? {
            switch self {
            case .holdOpen, .lockDown: 1...1440
            case .on, .off, .toggle: CommandSettings.minutes
            case .pass, .passOut, .normal, .recordOnly: nil
            }
        }

        /// Whether somebody passes: all else is run by hand only.
        var isPassage: Bool {
            switch self {
            case .pass, .passOut: true
            case .holdOpen, .lockDown, .normal, .on, .off, .toggle, .recordOnly: false
            }
        }

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
    /// How long what it does lasts, in minutes: `hold-open` and `lock-down` 1–1440, `on`, `off` and `toggle` 1–10080.
    public var minutes: Int
    /// Whether it wants a second factor; nil: as ever, which is for all but passing.
    public var secondFactor: Bool?
    /// The schedule during which it is run; nil: at all times.
    public var schedule: String?

    /// Whether it wants a second factor, whatever the lane wants of those who pass.
    public var wantsSecondFactor: Bool { secondFactor ?? !action.isPassage }

    /// Up to a week: an alarm panel is armed over a long weekend.
    static let minutes = 1...10_080

    public init(name: String, action: Action, output: String?, minutes: Int, secondFactor: Bool?, schedule: String?) {
        self.name = name
        self.action = action
        self.output = output
        self.minutes = minutes
        self.secondFactor = secondFactor
        self.schedule = schedule
    }
}
