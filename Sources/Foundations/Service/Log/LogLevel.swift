/// How grave a line is. The numbers are syslog's (RFC 5424, 6.2.1).
public enum LogLevel: Int, Sendable, CaseIterable, Comparable {
    /// As a threshold: nothing is written.
    case off = 0
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }

    /// The word used in the configuration.
    public var name: String { "\(self)" }

    /// The level of that name.
    public init?(name: String) {
        guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }
}

/// One line on its way to its target.
public struct LogEntry: Hashable, Sendable {
    public let room: String
    public let level: LogLevel
    public let target: LogTarget
    /// When it was written, milliseconds since 1970 by the system's clock.
    public let milliseconds: Int64
    /// One line: what nobody would see is already spelled out.
    public let text: String
}

/// Where lines go.
public enum LogTarget: String, Sendable, CaseIterable {
    /// systemd's journal, with the room as a field; standard error where no journal runs.
    case journal
    /// Standard error: with syslog prefixes under systemd, with the time elsewhere.
    case standardError = "stderr"
}
