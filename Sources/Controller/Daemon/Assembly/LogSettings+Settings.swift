import Configuration
import Service

extension LogSettings {
    /// Level and target of every room, as the configuration says (O6).
    public init(_ settings: LoggingSettings) {
        self.init(standard: Rule(settings.standard), rooms: settings.rooms.mapValues { Rule($0) })
    }
}

extension LogSettings.Rule {
    init(_ rule: LoggingSettings.Rule) {
        let level: LogLevel = switch rule.level {
        case .off: .off
        case .error: .error
        case .warning: .warning
        case .notice: .notice
        case .info: .info
        case .debug: .debug
        }
        let target: LogTarget = switch rule.target {
        case .journal: .journal
        case .stderr: .standardError
        }
        self.init(level: level, target: target)
    }
}
