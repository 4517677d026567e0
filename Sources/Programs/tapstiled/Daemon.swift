import CommandLineOptions
import Configuration
import Controller
import Glibc
import Lanes
import Service
import Threads

/// The daemon from its arguments to its end.
enum Daemon {
    private static let syntax = ProgramSyntax(
        "tapstiled", "Serves the lanes of a gate: phones, credentials, relays, journal.",
        options: [.value("config", "FILE", "the configuration (default /etc/tapstile/tapstile.toml)"),
                  .flag("lines-at-safe-level", "only put every line at its safe level, as after a gate that was killed, and end")],
        details: "SIGHUP reads the configuration again (`tapstile reload`); SIGTERM and SIGINT end the daemon, lines at their safe level.\n"
            + "The unit runs --lines-at-safe-level after every end.")

    /// Runs until a signal ends it. Answers the exit status: 0 after an orderly end, 1 when it could
    /// not start, 2 when the arguments are wrong.
    static func run(arguments: [String]) -> Int32 {
        syntax.run(arguments, json: false, unknown: "start-failed") { command in
            let path = command.value("config") ?? "/etc/tapstile/tapstile.toml"
            if command.has("lines-at-safe-level") { return try putLinesAtSafeLevel(path).rawValue }
            try serve(path: path)
            return ExitStatus.success.rawValue
        }
    }

    /// Puts the lines at their safe level and says so. Fails when one could not be had.
    private static func putLinesAtSafeLevel(_ path: String) throws -> ExitStatus {
        // systemd says where StateDirectory= is.
        let folder = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? "/var/lib/tapstile"
        let lines = try LinesAtSafeLevel(configuration: path, stateFolder: folder)
        for failure in lines.failures {
            StandardStream.error.report("tapstiled", code: failure.code, message: "\(failure.line): \(failure.message)", json: false)
        }
        for unsafe in lines.unsafe {
            StandardStream.error.report("tapstiled", code: unsafe.code, message: "\(unsafe.line): \(unsafe.message)", json: false)
        }
        StandardStream.output.write(line: "\(lines.count - lines.failures.count) of \(lines.count) lines are at their safe level.")
        return lines.failures.isEmpty ? .success : .failure
    }

    /// What no reload accepted may be in the file at a restart: the gate stays closed then, and nothing
    /// that was energised may stay so.
    private static func load(_ path: String) throws -> LoadedConfiguration {
        do {
            return try ConfigurationFile.load(path: path)
        } catch {
            // That lines are unknown says no more than the error itself.
            _ = try? putLinesAtSafeLevel(path)
            throw error
        }
    }

    private static func serve(path: String) throws {
        let loaded = try load(path)
        // Five eighths of the watchdog's time for our own code to come round, the rest to say what does not.
        let loops = Notify.watchdogMilliseconds.map { Loops(limit: $0 * 5 / 8) } ?? Loops()
        let logs = try LogOutput(LogSettings(loaded.configuration.log), loops: loops)
        defer { logs.stop() }
        let lock = try InstanceLock(directory: loaded.configuration.store.directory)
        defer { withExtendedLifetime(lock) {} }
        // Building the indexes of a large publication needs room that /tmp of a board may not have.
        setenv("SQLITE_TMPDIR", loaded.configuration.store.directory, 1)
        let start = try LongStart()
        defer { start.end() }
        let controller = try Controller(loaded, path: path, version: ProductVersion.current, logs: logs, loops: loops)
        let end = Monitor<End?>(nil)
        try controller.start(onBreakdown: { breakdown in end.change { $0 = $0 ?? .breakdown(breakdown) } })
        let signals = try watchSignals(controller, end, loops)
        start.end()
        // This thread feeds no watchdog.
        Notify.ready(status: "serving \(loaded.configuration.lanes.count) lane(s)", waitMilliseconds: 30_000)
        let why = end.wait { $0 }
        signals.stop()
        Notify.stopping()
        controller.stop { Notify.status("stopping: \($0)") }
        // Not 0: systemd starts it again.
        if case .breakdown(let breakdown) = why { throw breakdown }
    }

    /// Why the daemon ends.
    private enum End {
        case asked
        case breakdown(Breakdown)
    }

    private static func watchSignals(_ controller: Controller, _ end: Monitor<End?>, _ loops: Loops) throws -> SignalWatch {
        try SignalWatch(loops: loops, onFailure: { cause in end.change { $0 = $0 ?? .breakdown(.signals(cause)) } }) { signal in
            switch signal {
            case .stop:
                end.change { $0 = $0 ?? .asked }
            case .reload:
                Notify.reloading()
                // A refusal is logged by the controller; the old configuration stays.
                _ = try? controller.reload()
                Notify.ready(status: "serving")
            }
        }
    }
}

/// Asks systemd for more time as long as the gate is still starting: a tired SD card takes seconds for each of
/// several writes, and a journal of an older version is brought up to date. Lines are de-energised meanwhile. A start
/// that hangs is ended all the same, later.
final class LongStart: Sendable {
    /// Milliseconds between two requests, and for how much longer each asks.
    private static let interval: Int64 = 5000
    private static let more: Int64 = 15_000
    /// So often it asks: for ten minutes.
    private static let most = 120

    private let isOver = Monitor(false)
    private let worker: Worker

    init() throws(SystemError) {
        let began = MonotonicTime.milliseconds
        worker = try Worker(name: "long-start", stackBytes: 128 * 1024) { [isOver] in
            for turn in 1...Int64(Self.most) {
                let next = turn * Self.interval + began
                if isOver.wait(untilNanoseconds: MonotonicTime.nanoseconds(atMilliseconds: next), { $0 ? () : nil }) != nil { return }
                Notify.extendTimeout(milliseconds: Self.more)
            }
        }
    }

    /// The start is over, either way.
    func end() {
        isOver.change { $0 = true }
        worker.join()
    }
}
