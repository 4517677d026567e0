import Configuration
import Credentials
import Gate

extension LaneWarning {
    /// What a lane's settings name and the gate does not have; nil when it has all.
    init?(_ settings: LaneSettings, _ schedules: Schedules, at clock: ClockReading) {
        switch SecondFactorRule(settings) {
        case .never, .always:
            return nil
        case .scheduled(let name):
            guard schedules.isInForce(name, clock, .restricts) == nil else { return nil }
            self = .scheduleUnknown(name)
        }
    }
}
