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
