/// Level and target per room (O6).
public struct LogSettings: Hashable, Sendable {
    /// What one room writes, and where.
    public struct Rule: Hashable, Sendable {
        public var level: LogLevel
        public var target: LogTarget

        public init(level: LogLevel, target: LogTarget) {
            self.level = level
            self.target = target
        }
    }

    /// For rooms that have no rule of their own.
    public var standard: Rule
    /// By name of the room.
    public var rooms: [String: Rule]

    public init(standard: Rule = Rule(level: .info, target: .standardError), rooms: [String: Rule] = [:]) {
        self.standard = standard
        self.rooms = rooms
    }

    /// The rule for a room.
    public func rule(for room: String) -> Rule { rooms[room] ?? standard }
}
