import Encoding
import Gate
import Lines
import Threads
import Vocabulary

extension LaneRunner {
    /// Milliseconds between two tries of lines that failed.
    static let probeInterval: Int64 = 1000
    /// Milliseconds to the first try when the relay could not be de-energised: it may be energised.
    static let urgentProbe: Int64 = 100

    /// Changes the machine and brings the relay in line with it, then says what is to be shown.
    ///
    /// One step for all other threads: were there time between a grant and its line, a pulse could end before
    /// the relay has moved. False when the relay could not be driven.
    @discardableResult
    func settle(mayEnergise: Bool = false, _ body: (inout Lane) -> [LaneAction] = { _ in [] }) -> Bool {
        let (relayWorks, isUrgent) = atLines(mayEnergise: mayEnergise) {
            let (relay, mustOpen) = change { lane in
                let actions = body(&lane)
                return ((lane.energised.map(lines.relay), lane.mustOpen), actions)
            }
            let relayWorks = isSo(relay) || setRelay(relay, mustOpen: mustOpen)
            change { relayWorks ? $0.confirm() : $0.abandon() }
            reportStuckOn()
            applyIndicators(ask(\.shownSignal), isReleased: !energised.isEmpty)
            return (relayWorks, isStuckOn(beside: relayWorks ? relay : nil) || !relayWorks && doubtful != nil)
        }
        report()
        if !relayWorks || isUrgent { linesFailed(tryAgainIn: isUrgent ? Self.urgentProbe : Self.probeInterval) }
        return relayWorks
    }

    /// Whether the relays are known to be as they are wanted.
    private func isSo(_ relay: LineName?) -> Bool {
        let (energised, doubtful) = outputs.withLock { ($0.energised, $0.doubtful) }
        guard doubtful == nil else { return false }
        guard let relay else { return energised.isEmpty }
        return energised.count == 1 && energised.contains(relay)
    }

    /// An alarm for what stands open and is not to; the line is named once.
    private func reportStuckOn() {
        let wanted = wanted
        let (stuck, news) = outputs.withLock { outputs in
            let stuck = outputs.energised.filter { $0 != wanted }
            defer { outputs.stuckOn = stuck }
            return (stuck, stuck.subtracting(outputs.stuckOn).sorted())
        }
        change { $0.setStuckOn(!stuck.isEmpty) }
        for line in news {
            log.error("\(LaneWarning.stuckOn.code): lane \(name), line \(line): \(LaneWarning.stuckOn.message)")
            onWarning(.stuckOn, line)
        }
    }

    /// Whether a relay is energised that is to be de-energised.
    private func isStuckOn(beside relay: LineName?) -> Bool { energised.contains { $0 != relay } }

    private var wanted: LineName? { ask { $0.energised.map(lines.relay) } }

    private var energised: Set<LineName> { outputs.withLock { $0.energised } }

    private var doubtful: LineName? { outputs.withLock { $0.doubtful } }

    /// Alone at the lines, which may take long. Whoever only asks does not wait for this.
    ///
    /// A relay that is wanted and not known to be on may be on all the same: the chip may hang in the very call that
    /// energises it, and then nobody comes to de-energise it.
    private func atLines<Result: Sendable>(mayEnergise: Bool = false, _ body: () -> Result) -> Result {
        Loop.outside(mayEnergise || !energised.isEmpty || wanted != nil ? .linesWithRelayOn(of: name) : .lines(of: name)) {
            driving.withLock { _ in
                outputs.withLock { $0.drivenSince = MonotonicTime.milliseconds }
                defer { outputs.withLock { $0.drivenSince = nil } }
                return body()
            }
        }
    }

    /// A probe that is due already stays: failing again must not put it off.
    func linesFailed(tryAgainIn delay: Int64) {
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        outputs.withLock { outputs in
            if let standing = outputs.probe, now < standing { return }
            outputs.probe = now + delay
        }
        set(.line, standing: true)
        onFailure()
    }

    /// One line at a time, so that a slow one does not keep the relay's lock.
    package func refresh(_ line: LineName) -> Bool {
        guard lines.relays.contains(line) else { return refreshIndicator(line) }
        return atLines {
            if let fault = bank.faults[line] {
                fail(line, fault)
                return false
            }
            return line == wanted ? setRelay(line, mustOpen: ask(\.mustOpen)) : deenergise(line)
        }
    }

    /// Energises that relay and no other, or none. One that cannot be de-energised keeps the other de-energised, never both, unless people must
    /// get out: no fault locks anybody in. One of which nobody knows whether it was ever de-energised is de-energised too; if that fails it holds
    /// up nobody.
    private func setRelay(_ relay: LineName?, mustOpen: Bool) -> Bool {
        let stuck = energised.sorted().filter { $0 != relay && !deenergise($0) }
        guard stuck.isEmpty || mustOpen else {
            if let relay, energised.contains(relay) { _ = deenergise(relay) }
            return false
        }
        if let doubtful, doubtful != relay { _ = deenergise(doubtful) }
        guard let relay else { return true }
        guard drive(relay, true) else {
            outputs.withLock { $0.doubtful = relay }
            return false
        }
        let moved = outputs.withLock { outputs in
            if outputs.doubtful == relay { outputs.doubtful = nil }
            return outputs.energised.insert(relay).inserted
        }
        if moved { reportRelay(relay, isEnergised: true) }
        return true
    }

    private func deenergise(_ relay: LineName) -> Bool {
        guard drive(relay, false) else { return false }
        let moved = outputs.withLock { outputs in
            if outputs.doubtful == relay { outputs.doubtful = nil }
            return outputs.energised.remove(relay) != nil
        }
        if moved { reportRelay(relay, isEnergised: false) }
        return true
    }

    private func reportRelay(_ relay: LineName, isEnergised: Bool) {
        events.emit(.relay, event(of: relay, isEnergised: isEnergised))
    }

    private func event(of relay: LineName, isEnergised: Bool) -> JSONObject {
        var event: JSONObject = ["lane": .string(name), "energised": .bool(isEnergised)]
        if lines.relayOut != nil { event["direction"] = .string((relay == lines.relay ? Direction.in : .out).rawValue) }
        return event
    }

    package func drive(_ line: LineName, _ active: Bool) -> Bool {
        do {
            try bank.set(line, active: active)
            outputs.withLock { $0.failures[line] = nil }
            return true
        } catch {
            fail(line, error)
            return false
        }
    }

    /// Says each cause once, not at every try.
    func fail(_ line: LineName, _ error: LineError?) {
        guard let error, outputs.withLock({ $0.failures.updateValue(error, forKey: line) }) != error else { return }
        log.error("\(error.code): lane \(name), line \(line): \(error.message)")
    }

    /// Says which lines are not safe by themselves: once each, and again when a line was fixed and is wrong anew.
    func warn() {
        let found = bank.foundActive.intersection(lines.all)
        let news = outputs.withLock { outputs in
            defer { outputs.unsafe = found }
            return found.subtracting(outputs.unsafe).sorted()
        }
        setDegraded(.wiring, !found.isEmpty)
        for line in news {
            log.warning("\(LaneWarning.levelUnsafe.code): lane \(name), line \(line): \(LaneWarning.levelUnsafe.message)")
            onWarning(.levelUnsafe, line)
        }
        if !news.isEmpty { reportFaults(ask(\.standingFaults)) }
    }

    /// Whether lines of this lane are to be written again: some failed, or were lost without anybody's touching them.
    package func needsRefresh(_ faults: [LineName: LineError], at now: Instant) -> Bool {
        if let probe = nextProbe, probe <= now { return true }
        return outputs.withLock { outputs in
            lines.all.contains { line in
                guard let fault = faults[line] else { return false }
                return outputs.failures[line] != fault
            }
        }
    }
}
