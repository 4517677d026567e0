import Encoding
import Gate
import Lines
import Threads
import Vocabulary

extension LaneRunner {
    /// What the schedules of the site want at this time; nil for nothing. Does not wait for lines.
    package func setMode(bySchedule modeRequest: ModeRequest?, at now: Instant) {
        post { $0.setMode(bySchedule: modeRequest, at: now) }
    }

    /// What an operator wants; nil, or `normal`, ends what an operator wanted before.
    package func setMode(_ modeRequest: ModeRequest?, by requester: Requester, at now: Instant) {
        post { $0.setMode(modeRequest, by: requester, at: now) }
    }

    /// What an operator wanted before the gate was started again.
    package func restore(_ modeRequest: ModeRequest?, isArmed: Bool, at now: Instant) {
        post { $0.restore(modeRequest, isArmed: isArmed, at: now) }
    }

    /// All that is wanted of the lane is known: what plan, operators, phones and contacts say. Does not wait for lines.
    package func begin(at now: Instant) {
        post { $0.begin(at: now) }
    }

    /// Lets one person through, as an operator asks; nil leaves the direction to the lane.
    package func release(_ direction: Direction?, by requester: Requester, at now: Instant) throws(LaneRefusal) {
        var refusal: LaneRefusal?
        post { lane in
            do throws(LaneRefusal) {
                return try lane.release(direction, by: requester, at: now)
            } catch {
                refusal = error
                return []
            }
        }
        if let refusal { throw refusal }
    }

    /// Whether the lane raises alarms.
    package func setArmed(_ isArmed: Bool, by requester: Requester, at now: Instant) {
        post { $0.setArmed(isArmed, by: requester, at: now) }
    }
}

extension LaneRunner {
    /// Says what the lane shows from now on: at once, for nobody waits for an indicator. Once for each change of the signal,
    /// subscribers are told.
    func applyIndicators(_ shownSignal: ShownSignal, isReleased: Bool) {
        indicators.show(shownSignal, isReleased: isReleased)
        let isNews = outputs.withLock { outputs in
            defer { outputs.indicator = shownSignal.signal }
            return outputs.indicator != shownSignal.signal
        }
        if isNews { events.emit(.indicator, ["lane": .string(name), "indicator": .string(shownSignal.signal.rawValue)]) }
    }

    /// Brings the indicators in line with what is to be on at `now`. The lane's indicator thread calls it, and whoever tries indicators.
    package func playIndicators(at now: Instant) {
        let works = Loop.outside(.indicators(of: name)) { indicators.play(at: now, drive) }
        if !works { linesFailed(tryAgainIn: Self.probeInterval) }
    }

    /// Writes an indicator at its level, whatever it was. Somebody who tries lines again calls it.
    func refreshIndicator(_ line: LineName) -> Bool {
        Loop.outside(.indicators(of: name)) {
            if let fault = bank.faults[line] {
                indicators.lose(line)
                fail(line, fault)
                return false
            }
            return indicators.rewrite(line, at: Instant(milliseconds: MonotonicTime.milliseconds), drive)
        }
    }

    /// From now on these patterns hold; what is shown goes on in step.
    package func adopt(_ patterns: Patterns) {
        indicators.adopt(patterns)
    }
}
