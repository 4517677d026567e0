/// The log of one room. Saying something never blocks and costs next to nothing below the room's level.
///
/// Neither secrets nor full identifiers belong into a line: pass them through `Redacted` or `ShortIdentifier`.
public struct Log: Sendable {
    /// The room that speaks.
    public let room: String
    private let output: LogOutput

    init(room: String, output: LogOutput) {
        self.room = room
        self.output = output
    }

    /// A person has to do something.
    public func error(_ text: @autoclosure () -> String) { say(.error, text) }
    /// Something is not as it should be; service goes on.
    public func warning(_ text: @autoclosure () -> String) { say(.warning, text) }
    /// Normal, rare and worth knowing: start, stop, reload, a reader that came back.
    public func notice(_ text: @autoclosure () -> String) { say(.notice, text) }
    /// Normal and frequent: what happened at a lane.
    public func info(_ text: @autoclosure () -> String) { say(.info, text) }
    /// For those who look for a fault.
    public func debug(_ text: @autoclosure () -> String) { say(.debug, text) }

    private func say(_ level: LogLevel, _ text: () -> String) {
        guard output.isWritten(level, room: room) else { return }
        output.write(level, room: room, text())
    }
}
