import Configuration
import Service

extension ClockPolicy {
    /// Who vouches for the time, as the configuration says.
    init(_ settings: ClockSettings) {
        let source: Source = switch settings.source {
        case .kernel: .kernel
        case .installer: .installer
        }
        let afterBoot: AfterBoot = switch settings.afterBoot {
        case .confirm: .confirm
        case .believe: .believe
        }
        self.init(source: source, holdoverLimitSeconds: Int64(settings.holdoverDays) * 86400, afterBoot: afterBoot)
    }
}
