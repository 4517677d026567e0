import ControlProtocol
import Credentials
import Encoding
import Gate
import Lines
import Service
import Threads

/// One lane at work: the pure state machine of the room `Gate`, and its lines.
///
/// Any thread may call. Every input that moves lines changes the machine and brings the lines in line with it
/// under the lock of the lines. So two threads that act at the same moment can never leave an older wish on a
/// line; and questions, which take short locks only, do not wait for slow lines.
public final class LaneRunner: Sendable {
    /// The lane's name in the configuration.
    public let name: String

    private let lines: LaneLines
    private let bank: any LineBank
    private let events: EventHub
    private let log: Log
    private let onFailure: @Sendable () -> Void
    private let onWarning: @Sendable (LaneWarning, LineName) -> Void
    private let machine: Mutex<Lane>
    /// Held by whoever writes to lines, which may take long: nobody else waits for it.
    private let driving = Mutex(())
    private let outputs = Mutex(LaneOutputs())

    /// - Parameters:
    ///   - onFailure: called when lines failed and are to be tried again.
    ///   - onWarning: called once for each line with something wrong that keeps nobody out.
    init(name: String, rules: LaneRules, lines: LaneLines, bank: any LineBank, events: EventHub, log: Log,
         onFailure: @escaping @Sendable () -> Void,
         onWarning: @escaping @Sendable (LaneWarning, LineName) -> Void = { _, _ in }) {
        self.name = name
        self.lines = lines
        self.bank = bank
        self.events = events
        self.log = log
        self.onFailure = onFailure
        self.onWarning = onWarning
        machine = Mutex(Lane(rules: rules))
    }

    // Taps -----------------------------------------------------------------------------------------

    /// Asks what stands in the way of a grant.
    func condition(for carrier: Carrier, at now: Instant) -> LaneCondition {
        machine.withLock { $0.condition(for: carrier, at: now) }
    }

    /// Takes the lane for one grant if nothing stands in its way; answers what does.
    func reserve(for carrier: Carrier, at now: Instant) -> LaneCondition {
        machine.withLock { $0.reserve(for: carrier, at: now) }
    }

    /// Gives the lane back without a grant.
    func release() {
        machine.withLock { $0.release() }
    }

    /// Moves the relay of a reserved lane. False when a fault kept it at rest.
    func open(at now: Instant) -> Bool {
        var opens = false
        let relayWorks = settle(mayEnergise: true) { opens = !$0.open(at: now).isEmpty }
        return opens && relayWorks
    }

    /// Shows a denial and starts the cooldown it deserves.
    func deny(_ decision: Decision, over carrier: Carrier, at now: Instant) {
        settle { _ = $0.deny(over: carrier, countsAsFailure: decision.countsAsFailure, at: now) }
    }

    // Time -----------------------------------------------------------------------------------------

    /// Time has come to `now`.
    func advance(to now: Instant) {
        settle { _ = $0.advance(to: now) }
    }

    /// Ends a running pulse at once: the gate stops.
    func rest() {
        settle { _ = $0.abandon() }
    }

    /// The next instant at which `advance` has something to do.
    var nextChange: Instant? {
        machine.withLock { $0.nextChange }
    }

    /// When lines that failed are to be tried again; nil while all work.
    var nextProbe: Instant? {
        outputs.withLock { $0.probe }
    }

    /// From the next run on, other rules hold; what runs is untouched.
    func adopt(_ rules: LaneRules) {
        settle { $0 = $0.adopting(rules) }
    }

    // Faults ---------------------------------------------------------------------------------------

    /// The lines that could not be had when the bank was opened take the lane out of service.
    func start() {
        let faults = bank.faults
        let missing = lines.all.filter { faults[$0] != nil }
        for line in missing { fail(line, faults[line]) }
        warn()
        if missing.isEmpty { settle() } else { linesFailed(tryAgainIn: Self.probeInterval) }
    }

    /// The faults that readers cause are now exactly these. Writes to no line, for it is called while other
    /// readers wait: the lane's timekeeper does, once it is told that the lane has changed.
    func setReaderFaults(_ standing: Set<LaneFault>) {
        change { faults in faults = faults.subtracting(LaneFault.ofReaders).union(standing) }
    }

    /// Whether the journal cannot be written at this moment: a fault where the lane needs it.
    func setJournalFault(_ failing: Bool) {
        set(.journal, standing: failing && machine.withLock { $0.needsAudit })
    }

    /// A fault that is not the readers' is there or over.
    func set(_ fault: LaneFault, standing: Bool) {
        let isNews = change { faults in
            if standing { faults.insert(fault) } else { faults.remove(fault) }
        }
        if isNews { settle() }
    }

    /// Writes every line of the lane at the level the machine wants, after lines were opened again: one
    /// that came back is at rest, whatever it was before. When all work, the lane is in service.
    func refresh() {
        let works = lines.all.reduce(true) { works, line in refresh(line) && works }
        warn()
        guard works else { return linesFailed(tryAgainIn: Self.probeInterval) }
        outputs.withLock { $0.probe = nil }
        set(.line, standing: false)
        settle()
    }

    /// What `status` says about this lane.
    var snapshot: LaneSnapshot {
        let (light, wanted, faults) = machine.withLock { ($0.light, $0.relayState.isEnergised, $0.standingFaults) }
        return outputs.withLock { outputs in
            // Just being written is no fault yet.
            let hangs = outputs.drivenSince.map { MonotonicTime.milliseconds - $0 >= Self.probeInterval } ?? false
            let isStuckOn = outputs.relay && !wanted && (hangs || outputs.failures[lines.relay] != nil)
            return LaneSnapshot(light: light, relay: outputs.relay, isStuckOn: isStuckOn, faults: faults,
                                unsafeLines: outputs.unsafe.sorted(), lineFailures: outputs.failures)
        }
    }

    @discardableResult
    private func change(_ body: (inout Set<LaneFault>) -> Void) -> Bool {
        let changed = machine.withLock { lane -> (before: Set<LaneFault>, now: Set<LaneFault>)? in
            let before = Set(lane.standingFaults)
            var faults = before
            body(&faults)
            guard faults != before else { return nil }
            _ = lane.setFaults(faults)
            return (before, faults)
        }
        guard let changed else { return false }
        for fault in changed.now.subtracting(changed.before).sorted() {
            log.warning("\(fault.code): lane \(name): \(fault.message)")
        }
        if changed.now.isEmpty { log.notice("lane \(name): in service") }
        tell(changed.now.sorted())
        return true
    }

    private func tell(_ faults: [LaneFault]) {
        let isUnsafe = outputs.withLock { !$0.unsafe.isEmpty }
        events.emit(.lane, ["lane": .string(name), "faults": .array(faults.map { .string($0.code) }),
                            "warnings": .array(isUnsafe ? [.string(LaneWarning.restUnsafe.code)] : [])])
    }

    // Lines ----------------------------------------------------------------------------------------

    /// Milliseconds between two tries of lines that failed.
    private static let probeInterval: Int64 = 1000
    /// Milliseconds to the first try when the relay could not be put to rest: it may be energised.
    private static let urgentProbe: Int64 = 100

    /// Changes the machine and brings the lines in line with it. The relay goes first: people wait for it.
    ///
    /// One step for all other threads: were there time between a grant and its line, a pulse could end before
    /// the relay has moved. False when the relay could not be driven.
    @discardableResult
    private func settle(mayEnergise: Bool = false, _ change: (inout Lane) -> Void = { _ in }) -> Bool {
        let (relayWorks, isUrgent, lightWorks) = atLines(mayEnergise: mayEnergise) {
            let (relay, light) = machine.withLock { lane in
                change(&lane)
                return (lane.relayState.isEnergised, lane.light)
            }
            let relayWorks = relay == written.relay || setRelay(relay)
            if !relayWorks { machine.withLock { _ = $0.abandon() } }
            let lightWorks = light == written.light || show(light)
            return (relayWorks, !relayWorks && written.relay, lightWorks)
        }
        if !relayWorks || !lightWorks { linesFailed(tryAgainIn: isUrgent ? Self.urgentProbe : Self.probeInterval) }
        return relayWorks
    }

    private var wanted: (relay: Bool, light: Light) {
        machine.withLock { ($0.relayState.isEnergised, $0.light) }
    }

    private var written: LaneOutputs { outputs.withLock { $0 } }

    /// Alone at the lines, which may take long. Whoever only asks does not wait for this.
    ///
    /// A relay that is wanted and not known to be on may be on all the same: the chip may hang in the very call that
    /// energises it, and then nobody comes to put it to rest.
    private func atLines<Result: Sendable>(mayEnergise: Bool = false, _ body: () -> Result) -> Result {
        Loop.outside(mayEnergise || written.relay || wanted.relay ? .linesWithRelayOn(of: name) : .lines(of: name)) {
            driving.withLock { _ in
                outputs.withLock { $0.drivenSince = MonotonicTime.milliseconds }
                defer { outputs.withLock { $0.drivenSince = nil } }
                return body()
            }
        }
    }

    /// A probe that is due already stays: failing again must not put it off.
    private func linesFailed(tryAgainIn delay: Int64) {
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        outputs.withLock { outputs in
            if let standing = outputs.probe, now < standing { return }
            outputs.probe = now + delay
        }
        set(.line, standing: true)
        onFailure()
    }

    /// One line at a time, so that a slow one does not keep the relay's lock.
    private func refresh(_ line: LineName) -> Bool {
        atLines {
            let (relay, light) = wanted
            if let fault = bank.faults[line] {
                fail(line, fault)
                return false
            }
            guard line == lines.relay else { return drive(line, lines.lights[light] == line) }
            return setRelay(relay)
        }
    }

    private func setRelay(_ energised: Bool) -> Bool {
        guard drive(lines.relay, energised) else { return false }
        let moved = outputs.withLock { outputs in
            defer { outputs.relay = energised }
            return outputs.relay != energised
        }
        if moved { events.emit(.relay, ["lane": .string(name), "energised": .bool(energised)]) }
        return true
    }

    private func show(_ light: Light) -> Bool {
        var works = true
        if let old = written.light.flatMap({ lines.lights[$0] }) { works = drive(old, false) }
        if let new = lines.lights[light] { works = drive(new, true) && works }
        outputs.withLock { $0.light = light }
        events.emit(.light, ["lane": .string(name), "light": .string(light.rawValue)])
        return works
    }

    private func drive(_ line: LineName, _ active: Bool) -> Bool {
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
    private func fail(_ line: LineName, _ error: LineError?) {
        guard let error, outputs.withLock({ $0.failures.updateValue(error, forKey: line) }) != error else { return }
        log.error("\(error.code): lane \(name), line \(line): \(error.message)")
    }

    /// Says which lines are not safe by themselves: once each, and again when a line was mended and is wrong anew.
    private func warn() {
        let found = bank.foundActive.intersection(lines.all)
        let news = outputs.withLock { outputs in
            defer { outputs.unsafe = found }
            return found.subtracting(outputs.unsafe).sorted()
        }
        for line in news {
            log.warning("\(LaneWarning.restUnsafe.code): lane \(name), line \(line): \(LaneWarning.restUnsafe.message)")
            onWarning(.restUnsafe, line)
        }
        if !news.isEmpty { tell(machine.withLock { $0.standingFaults }) }
    }

    /// Whether lines of this lane are to be written again: some failed, or were lost without anybody's touching them.
    func needsRefresh(_ faults: [LineName: LineError], at now: Instant) -> Bool {
        if let probe = nextProbe, probe <= now { return true }
        return outputs.withLock { outputs in
            lines.all.contains { line in
                guard let fault = faults[line] else { return false }
                return outputs.failures[line] != fault
            }
        }
    }
}
