/// `[log]` and `[log.ROOM]`
public struct LoggingSettings: Hashable, Sendable {
    /// Level and target of one room.
    public struct Rule: Hashable, Sendable {
        public var level: LoggingLevel
        public var target: LoggingTarget

        public init(level: LoggingLevel, target: LoggingTarget) {
            self.level = level
            self.target = target
        }
    }

    /// For everything that has no room of its own.
    public var standard: Rule
    /// One rule for every name in `GateConfiguration.logRooms`.
    public var rooms: [String: Rule]

    public init(standard: Rule, rooms: [String: Rule]) {
        self.standard = standard
        self.rooms = rooms
    }
}

/// The least grave line that is written.
public enum LoggingLevel: String, Sendable, CaseIterable {
    case off, error, warning, notice, info, debug
}

/// Where log lines go.
public enum LoggingTarget: String, Sendable, CaseIterable {
    /// systemd's journal; standard error where none runs.
    case journal
    case stderr
}
