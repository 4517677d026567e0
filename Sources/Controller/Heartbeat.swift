import Threads

/// Feeds systemd's watchdog, and only while every loop that reports here goes on. A gate of which one
/// part hangs is ended and started again, lines at rest.
final class Heartbeat: Sendable {
    /// Milliseconds within which every loop must report; nil where nobody watches.
    let interval: Int64?
    private let beat: @Sendable () -> Void
    private let silent: Monitor<Reports>

    private struct Reports {
        var loops: Set<String> = []
        var missing: Set<String> = []
    }

    /// - Parameters:
    ///   - interval: within which every loop reports, in milliseconds.
    ///   - beat: called each time that all have.
    init(interval: Int64?, beat: @escaping @Sendable () -> Void) {
        self.interval = interval
        self.beat = beat
        silent = Monitor(Reports())
    }

    /// A loop begins to report.
    func add(_ loop: String) {
        silent.withLock { reports in
            reports.loops.insert(loop)
            reports.missing.insert(loop)
        }
    }

    /// A loop has come round.
    func report(_ loop: String) {
        guard interval != nil else { return }
        let complete = silent.withLock { reports in
            reports.missing.remove(loop)
            guard reports.missing.isEmpty else { return false }
            reports.missing = reports.loops
            return true
        }
        if complete { beat() }
    }
}
