import CLinux
import Threads

/// The way of all log lines: a bounded queue and one thread that writes, so that no reader's thread ever
/// waits for a journal. Lines that find the queue full are dropped and counted.
public final class LogOutput: Sendable {
    /// At 100 bytes a line about 100 kB.
    static let queueLimit = 1024
    /// How long the last lines may take, in milliseconds: systemd kills after ten seconds (TimeoutStopSec=).
    public static let patience: Int64 = 2000

    private struct Queue: Sendable {
        var waiting: [LogEntry] = []
        var dropped = 0
        var writing = false
        var ended = false
    }

    private let settings: Mutex<LogSettings>
    private let queue = Monitor(Queue())
    private let worker: Worker

    /// What writes a line may wait for journald, or for whoever reads standard error.
    private static let target = OutsideCall(
        "the system's log", .fault(afterMilliseconds: 5000),
        remedy: "Lines are dropped meanwhile. `systemctl restart systemd-journald` may help.")

    /// Starts writing to the real targets.
    public convenience init(_ settings: LogSettings = LogSettings(), loops: Loops = Loops()) throws(SystemError) {
        let sink = LogSink.standard()
        try self.init(settings, loops: loops) { sink.write($0) }
    }

    /// Starts writing to a target of one's own, which is called on the log's thread, one of `loops`.
    public init(_ settings: LogSettings, loops: Loops = Loops(),
                write: @escaping @Sendable (LogEntry) -> Void) throws(SystemError) {
        self.settings = Mutex(settings)
        let queue = queue
        worker = try Worker(name: "log", stackBytes: 128 * 1024, loops: loops) { Self.run(queue, $0, write) }
    }

    /// The log of one room.
    public func log(_ room: String) -> Log { Log(room: room, output: self) }

    /// Takes over changed settings; they hold from the next line on.
    public func apply(_ settings: LogSettings) {
        self.settings.withLock { $0 = settings }
    }

    /// Waits until everything said so far is written.
    public func flush() {
        queue.wait { $0.waiting.isEmpty && !$0.writing ? () : nil }
    }

    /// Writes what is left and ends. Later lines are lost; so is what journald, or whoever reads standard error, does not take in time, for no stop
    /// waits for those.
    public func stop(withinMilliseconds milliseconds: Int64 = patience) {
        queue.change { $0.ended = true }
        _ = worker.ends(byMonotonicMilliseconds: MonotonicTime.milliseconds + milliseconds)
    }

    func isWritten(_ level: LogLevel, room: String) -> Bool {
        level <= settings.withLock { $0.rule(for: room).level }
    }

    func write(_ level: LogLevel, room: String, _ text: String) {
        let target = settings.withLock { $0.rule(for: room).target }
        let entry = LogEntry(room: room, level: level, target: target,
                             milliseconds: clinux_realtime_nanoseconds().quotientFloor(1_000_000),
                             text: LogText.line(text))
        queue.change { queue in
            guard !queue.ended else { return }
            if queue.waiting.count < Self.queueLimit { queue.waiting.append(entry) } else { queue.dropped += 1 }
        }
    }

    private static func run(_ queue: Monitor<Queue>, _ loop: Loop, _ write: (LogEntry) -> Void) {
        while let batch = next(queue, loop) {
            for entry in batch.entries { Loop.outside(target) { write(entry) } }
            if batch.dropped > 0, let last = batch.entries.last {
                Loop.outside(target) { write(note(dropped: batch.dropped, after: last)) }
            }
            queue.change { $0.writing = false }
        }
    }

    /// Waits for lines and takes them all; nil at the end.
    private static func next(_ queue: Monitor<Queue>, _ loop: Loop) -> (entries: [LogEntry], dropped: Int)? {
        queue.wait(loop) { queue -> (entries: [LogEntry], dropped: Int)?? in
            if queue.waiting.isEmpty { return queue.ended ? .some(nil) : nil }
            defer {
                queue.waiting = []
                queue.dropped = 0
                queue.writing = true
            }
            return .some((queue.waiting, queue.dropped))
        }
    }

    private static func note(dropped: Int, after last: LogEntry) -> LogEntry {
        LogEntry(room: "service", level: .warning, target: last.target, milliseconds: last.milliseconds,
                 text: "\(dropped) log lines were dropped because they came faster than they could be written.")
    }
}

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
    public func error(_ text: @autoclosure () -> String) { write(.error, text) }
    /// Something is not as it should be; service goes on.
    public func warning(_ text: @autoclosure () -> String) { write(.warning, text) }
    /// Normal, rare and worth knowing: start, stop, reload, a reader that came back.
    public func notice(_ text: @autoclosure () -> String) { write(.notice, text) }
    /// Normal and frequent: what happened at a lane.
    public func info(_ text: @autoclosure () -> String) { write(.info, text) }
    /// For those who look for a fault.
    public func debug(_ text: @autoclosure () -> String) { write(.debug, text) }

    private func write(_ level: LogLevel, _ text: () -> String) {
        guard output.isWritten(level, room: room) else { return }
        output.write(level, room: room, text())
    }
}
