import Configuration
import Conversations
import Gate

extension LaneCommand {
    /// The commands of a lane by their names: without a list `tokn` lets one person through, and nothing else does anything.
    static func all(_ settings: LaneSettings) -> [String: LaneCommand] {
        let standard = LaneCommand(OnTouchProfile.defaultCommand, .pass, wantsSecondFactor: false)
        let commands = settings.commands.isEmpty ? [standard] : settings.commands.map(LaneCommand.init)
        return Dictionary(commands.map { ($0.name, $0) }) { first, _ in first }
    }

    private init(_ settings: CommandSettings) {
        let action = CommandAction(settings)
        self.init(settings.name, action, wantsSecondFactor: settings.secondFactor ?? !action.isPassage, schedule: settings.schedule)
    }
}

extension CommandAction {
    /// An output that is not named does not pass the check of the configuration; it would be none.
    fileprivate init(_ settings: CommandSettings) {
        let length = Int64(settings.minutes) * 60_000
        let output = settings.output ?? ""
        self = switch settings.action {
        case .pass: .pass
        case .passOut: .passOut
        case .holdOpen: .order(.holdOpen(length))
        case .lockDown: .order(.lockDown(length))
        case .normal: .order(.normal)
        case .on: .output(output, .on)
        case .off: .output(output, .off)
        case .toggle: .output(output, .toggle)
        case .recordOnly: .recordOnly
        }
    }
}
