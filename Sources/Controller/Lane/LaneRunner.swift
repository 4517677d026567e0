import ControlProtocol
import Credentials
import Encoding
import Gate
import Lines
import Service
import Synchronization

/// One lane at work: the pure state machine of the room `Gate`, and its lines.
///
/// Any thread may call. Every input changes the machine under its lock; then the lines are brought
/// in line with what the machine says *now*, under a lock of their own. So two threads that act at
/// the same moment can never leave an older wish on a line.
public final class LaneRunner: Sendable {
    /// The lane's name in the configuration.
    public let name: String

    private let lines: LaneLines
    private let bank: any LineBank
    private let events: EventHub
    private let log: Log
    private let onFailure: @Sendable () -> Void
    private let machine: Mutex<Lane>
    private let shown = Mutex(Shown())

    /// What the lines show at this moment.
    private struct Shown {
        var relay = false
        var light: Light?
        /// When lines that failed are tried again.
        var probe: Instant?
    }

    /// Milliseconds between two tries of lines that failed.
    private static let probeInterval: Int64 = 5000

    init(name: String, rules: LaneRules, lines: LaneLines, bank: any LineBank, events: EventHub, log: Log,
         onFailure: @escaping @Sendable () -> Void) {
        self.name = name
        self.lines = lines
        self.bank = bank
        self.events = events
        self.log = log
        self.onFailure = onFailure
        machine = Mutex(Lane(rules: rules))
    }

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
        machine.withLock { _ = $0.open(at: now) }
        settle()
        return shown.withLock { $0.relay }
    }

    /// Shows a denial and starts the cooldown it deserves.
    func deny(_ decision: Decision, over carrier: Carrier, at now: Instant) {
        machine.withLock { _ = $0.deny(over: carrier, countsAsFailure: decision.countsAsFailure, at: now) }
        settle()
    }

    /// Time has come to `now`.
    func advance(to now: Instant) {
        machine.withLock { _ = $0.advance(to: now) }
        settle()
    }

    /// Ends a running pulse at once: the gate stops.
    func rest() {
        machine.withLock { _ = $0.abandon() }
        settle()
    }

    /// The next instant at which `advance` has something to do.
    var nextChange: Instant? {
        machine.withLock { $0.nextChange }
    }

    /// When lines that failed are to be tried again; nil while all work.
    var nextProbe: Instant? {
        shown.withLock { $0.probe }
    }

    /// The faults that readers cause are now exactly these.
    func setReaderFaults(_ standing: Set<LaneFault>) {
        change { faults in faults = standing.union(faults.intersection([.line])) }
    }

    private func setLineFault(_ standing: Bool) {
        change { faults in
            if standing { faults.insert(.line) } else { faults.remove(.line) }
        }
    }

    private func change(_ body: (inout Set<LaneFault>) -> Void) {
        let changed = machine.withLock { lane -> [LaneFault]? in
            let before = Set(lane.standingFaults)
            var faults = before
            body(&faults)
            guard faults != before else { return nil }
            _ = lane.setFaults(faults)
            return faults.sorted()
        }
        guard let changed else { return }
        report(changed)
        settle()
    }

    /// The lines that could not be had when the bank was opened take the lane out of service.
    func start() {
        let faults = bank.faults
        for name in [lines.relay] + lines.lights.values.sorted() {
            guard let fault = faults[name] else { continue }
            log.error("\(fault.code): lane \(self.name): \(fault.message)")
            linesFailed()
        }
        settle()
    }

    /// From the next run on, other rules hold; what runs is untouched.
    func adopt(_ rules: LaneRules) {
        machine.withLock { $0 = $0.adopting(rules) }
        settle()
    }

    /// What `status` says about this lane.
    var snapshot: LaneSnapshot {
        machine.withLock { LaneSnapshot(light: $0.light, relay: $0.relayState.isEnergised, faults: $0.standingFaults) }
    }

    /// Brings the lines in line with the machine. The relay goes first: people wait for it.
    func settle() {
        let failed = shown.withLock { shown -> Bool in
            let (relay, light) = machine.withLock { ($0.relayState.isEnergised, $0.light) }
            let relayWorked = relay == shown.relay || setRelay(relay, &shown)
            if !relayWorked { machine.withLock { _ = $0.abandon() } }
            let lightWorked = light == shown.light || show(light, &shown)
            return !(relayWorked && lightWorked)
        }
        if failed { linesFailed() }
    }

    private func linesFailed() {
        shown.withLock { $0.probe = Instant(milliseconds: SystemClock.monotonicMilliseconds) + Self.probeInterval }
        setLineFault(true)
        onFailure()
    }

    /// Writes every line of the lane at the level the machine wants, after lines were opened again: one
    /// that came back is at rest, whatever it was before. When all work, the lane is in service.
    func refresh() {
        if driveAll() {
            setLineFault(false)
            settle()
        } else {
            linesFailed()
        }
    }

    private func driveAll() -> Bool {
        shown.withLock { shown in
            let (relay, light) = machine.withLock { ($0.relayState.isEnergised, $0.light) }
            let wanted = [(lines.relay, relay)] + lines.lights.map { ($0.value, $0.key == light) }
            guard wanted.allSatisfy({ bank.faults[$0.0] == nil && drive($0.0, $0.1) }) else { return false }
            shown = Shown(relay: relay, light: light, probe: nil)
            return true
        }
    }

    private func setRelay(_ energised: Bool, _ shown: inout Shown) -> Bool {
        guard drive(lines.relay, energised) else { return false }
        shown.relay = energised
        events.emit(.relay, ["lane": .string(name), "energised": .bool(energised)])
        return true
    }

    private func show(_ light: Light, _ shown: inout Shown) -> Bool {
        var worked = true
        if let old = shown.light.flatMap({ lines.lights[$0] }) { worked = drive(old, false) }
        if let new = lines.lights[light] { worked = drive(new, true) && worked }
        shown.light = light
        events.emit(.light, ["lane": .string(name), "light": .string(light.rawValue)])
        return worked
    }

    private func drive(_ line: LineName, _ active: Bool) -> Bool {
        do {
            try bank.set(line, active: active)
            return true
        } catch {
            log.error("\(error.code): lane \(name): \(error.message)")
            return false
        }
    }

    private func report(_ faults: [LaneFault]) {
        for fault in faults { log.warning("\(fault.code): lane \(name): \(fault.message)") }
        if faults.isEmpty { log.notice("lane \(name): in service") }
        events.emit(.lane, ["lane": .string(name), "faults": .array(faults.map { .string($0.code) })])
    }
}
