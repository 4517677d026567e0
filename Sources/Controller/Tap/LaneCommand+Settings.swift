import Configuration
import Gate
import PhoneProtocol

extension LaneCommand {
    /// The commands of a lane by their names: without a list `tokn` lets one person through, and nothing else does anything.
    package static func all(_ settings: LaneSettings) -> [String: LaneCommand] {
        Dictionary(list(settings).map { ($0.name, $0) }) { first, _ in first }
    }

    /// The same in the order in which they are written.
    package static func list(_ settings: LaneSettings) -> [LaneCommand] {
        let standard = LaneCommand(PhoneProtocolProfile.defaultCommand, .pass, wantsSecondFactor: false)
        return settings.commands.isEmpty ? [standard] : settings.commands.map(LaneCommand.init)
    }

    private init(_ settings: CommandSettings) {
        let action = CommandAction(settings)
        self.init(settings.name, action, wantsSecondFactor: settings.wantsSecondFactor, schedule: settings.schedule)
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
        case .on: .output(output, .on, for: length)
        case .off: .output(output, .off, for: length)
        case .toggle: .output(output, .toggle, for: length)
        case .recordOnly: .recordOnly
        }
    }
}
