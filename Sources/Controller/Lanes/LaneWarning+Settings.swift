import Configuration
import Credentials
import Gate
import Site
import Vocabulary

extension LaneWarning {
    /// What a lane's settings name and the gate does not have.
    package static func all(_ settings: LaneSettings, _ schedules: Schedules, at clock: ClockReading) -> [LaneWarning] {
        func isUnknown(_ name: String) -> Bool { schedules.isInForce(name, clock, .restricts) == nil }
        var warnings: [LaneWarning] = []
        if case .scheduled(let name) = SecondFactorRule(settings), isUnknown(name) { warnings.append(.scheduleUnknown(name)) }
        for command in settings.commands {
            if let name = command.schedule, isUnknown(name) { warnings.append(.commandNeverInForce(command: command.name, schedule: name)) }
        }
        return warnings
    }
}
