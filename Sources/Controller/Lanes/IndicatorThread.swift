import Gate
import Threads

/// The thread that plays the indicators of one lane.
///
/// A thread of its own, beside the timekeeper: an indicator behind a slow bus must not keep a relay energised. It sleeps
/// until the next step of a pattern and is woken when the lane shows something else.
///
/// Whoever starts and stops the gate calls. `worker` guards the thread; the rest lies behind the locks of the indicators.
package final class IndicatorThread: Sendable {
    private let name: String
    private let indicators: LaneIndicators
    private let loops: Loops
    private let play: @Sendable (Instant) -> Void
    private let worker = Monitor<Worker?>(nil)

    /// Milliseconds that a stop waits for a line that hangs; then it is left to the end of the process.
    private static let patience: Int64 = 1000

    /// - Parameter play: brings the lines in line with what is to be on at that time.
    package init(lane name: String, indicators: LaneIndicators, loops: Loops, play: @escaping @Sendable (Instant) -> Void) {
        self.name = name
        self.indicators = indicators
        self.loops = loops
        self.play = play
    }

    /// Starts the thread. A lane without indicators needs none.
    package func start() throws(SystemError) {
        guard !indicators.lines.isEmpty else { return }
        let started = try Worker(name: "lights-\(name)", loops: loops) { [self] loop in run(loop) }
        worker.withLock { $0 = started }
    }

    /// Ends the thread, and waits for its end unless a line hangs.
    package func stop() {
        indicators.stop()
        _ = worker.withLock { $0 }?.ends(byMonotonicMilliseconds: MonotonicTime.milliseconds + Self.patience)
    }

    private func run(_ loop: Loop) {
        var now: Instant
        repeat {
            now = Instant(milliseconds: MonotonicTime.milliseconds)
            play(now)
        } while indicators.waitForStep(after: now, loop)
    }
}
