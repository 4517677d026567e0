import Encoding
import Gate
import Lines
import Threads

extension LaneRunner {
    /// Says what the lane shows from now on: at once, for nobody waits for a light. Once for each change of the signal,
    /// subscribers are told.
    func tellLights(_ showing: ShownSignal, isReleased: Bool) {
        lights.show(showing, isReleased: isReleased)
        let isNews = outputs.withLock { outputs in
            defer { outputs.light = showing.signal }
            return outputs.light != showing.signal
        }
        if isNews { events.emit(.light, ["lane": .string(name), "light": .string(showing.signal.rawValue)]) }
    }

    /// Brings the lights in line with what is to be on at `now`. The lane's indicator thread calls it, and whoever tries lights.
    func playLights(at now: Instant) {
        let works = Loop.outside(.lights(of: name)) { lights.play(at: now, drive) }
        if !works { linesFailed(tryAgainIn: Self.probeInterval) }
    }

    /// Writes a light at its level, whatever it was. Somebody who tries lines again calls it.
    func refreshLight(_ line: LineName) -> Bool {
        Loop.outside(.lights(of: name)) {
            if let fault = bank.faults[line] {
                lights.lose(line)
                fail(line, fault)
                return false
            }
            return lights.rewrite(line, at: Instant(milliseconds: MonotonicTime.milliseconds), drive)
        }
    }

    /// From now on these patterns hold; what is shown goes on in step.
    func adopt(_ patterns: Patterns) {
        lights.adopt(patterns)
    }
}
