import Gate
import Lines
import Threads

/// What the indicators of one lane shall show, and what was last written to their lines.
///
/// Whoever changes what a lane shows says so here and goes on; a thread of the lane's own (`IndicatorThread`) writes the lines.
/// So no relay, phone or other lane waits for the indicators, however slow they are.
///
/// Any thread may call. `wanted` guards what is to be shown; `written` is held by whoever writes to lines, which may take long, and comes
/// before `wanted`.
package final class LaneIndicators: Sendable {
    /// Writes a line; false when that failed.
    typealias Drive = (LineName, Bool) -> Bool

    private struct Wanted: Sendable {
        var shownSignal: ShownSignal
        var isReleased = false
        var patterns: Patterns
        /// Exactly these lines are on, whatever the lane shows: somebody tries them.
        var held: Set<LineName>?
        var changed = true
        var stopping = false
    }

    /// The lines, each with the level it was last written at; none after a failure.
    private struct Written: Sendable {
        var levels: [LineName: Bool]
    }

    /// The lines of all indicators, in a stable order.
    let lines: [LineName]
    private let lamps: [Lamp: LineName]
    private let steady: [SteadyIndicator: LineName]
    private let wired: LampSet
    private let wanted: Monitor<Wanted>
    /// Held by whoever writes.
    private let written: Mutex<Written>

    /// Indicators that were just requested, and so are off.
    package init(lamps: [Lamp: LineName], steady: [SteadyIndicator: LineName], shownSignal: ShownSignal, patterns: Patterns = Patterns()) {
        self.lamps = lamps
        self.steady = steady
        wired = LampSet(lamps.keys)
        lines = (Array(lamps.values) + Array(steady.values)).sorted()
        written = Mutex(Written(levels: Dictionary(lines.map { ($0, false) }) { first, _ in first }))
        wanted = Monitor(Wanted(shownSignal: shownSignal, patterns: patterns))
    }

    // What is wanted: returns at once ------------------------------------------------------------------

    /// From now on the lane shows this.
    func show(_ shownSignal: ShownSignal, isReleased: Bool) {
        change { wanted in
            guard wanted.shownSignal != shownSignal || wanted.isReleased != isReleased else { return false }
            wanted.shownSignal = shownSignal
            wanted.isReleased = isReleased
            return true
        }
    }

    /// From now on these patterns hold; what is being shown goes on in step with its beginning.
    package func adopt(_ patterns: Patterns) {
        change { wanted in
            defer { wanted.patterns = patterns }
            return wanted.patterns != patterns
        }
    }

    /// Exactly these lines are on until further notice; nil lets the lane show its signal again.
    func hold(_ lines: Set<LineName>?) {
        change { wanted in
            defer { wanted.held = lines }
            return wanted.held != lines
        }
    }

    /// Ends the waiting in `waitForStep`.
    package func stop() {
        wanted.change { $0.stopping = true }
    }

    // Playing ------------------------------------------------------------------------------------------

    /// Waits until something else is to be on than at `played`; false when the indicators are to be played no longer. A signal
    /// that is steady wakes nobody.
    func waitForStep(after played: Instant, _ loop: Loop) -> Bool {
        wanted.waitForStep(loop) { wanted in
            if wanted.stopping { return .proceed(false) }
            let next = Self.nextChange(wanted, after: played)
            guard wanted.changed || next.map({ $0.milliseconds <= MonotonicTime.milliseconds }) ?? false else {
                return .wait(until: next?.milliseconds)
            }
            wanted.changed = false
            return .proceed(true)
        }
    }

    /// Writes what is to be on at `now`, as far as it is not on already: first off, then on, so that no mixture is seen.
    /// - Returns: whether all lines could be written that worked before.
    func play(at now: Instant, _ drive: Drive) -> Bool {
        written.withLock { written in
            let on = linesOn(at: now)
            var works = true
            for active in [false, true] {
                for line in lines where on.contains(line) == active {
                    guard let level = written.levels[line], level != active else { continue }
                    works = Self.write(line, active, &written, drive) && works
                }
            }
            return works
        }
    }

    /// Writes one line at its level, whatever it was, after it failed or was opened again.
    func rewrite(_ line: LineName, at now: Instant, _ drive: Drive) -> Bool {
        written.withLock { Self.write(line, linesOn(at: now).contains(line), &$0, drive) }
    }

    /// A line that is gone is not written until somebody rewrites it.
    func lose(_ line: LineName) {
        written.withLock { $0.levels[line] = nil }
    }

    private static func write(_ line: LineName, _ active: Bool, _ written: inout Written, _ drive: Drive) -> Bool {
        let works = drive(line, active)
        written.levels[line] = works ? active : nil
        return works
    }

    private func linesOn(at now: Instant) -> Set<LineName> {
        wanted.withLock { wanted in
            if let held = wanted.held { return held }
            let player = PatternPlayer(wanted.patterns[wanted.shownSignal.signal], since: wanted.shownSignal.since)
            var on = Set(player.lamps(at: now).shown(with: wired).lamps.compactMap { lamps[$0] })
            if let line = steady[SteadyIndicator(wanted.shownSignal.signal, isReleased: wanted.isReleased)] { on.insert(line) }
            return on
        }
    }

    private static func nextChange(_ wanted: Wanted, after now: Instant) -> Instant? {
        guard wanted.held == nil else { return nil }
        return PatternPlayer(wanted.patterns[wanted.shownSignal.signal], since: wanted.shownSignal.since).nextChange(after: now)
    }

    private func change(_ body: (inout Wanted) -> Bool) {
        let isNews = wanted.withLock { wanted in
            guard body(&wanted) else { return false }
            wanted.changed = true
            return true
        }
        if isNews { wanted.change { _ in } }
    }
}
