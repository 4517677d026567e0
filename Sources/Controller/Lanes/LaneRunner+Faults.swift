import Encoding
import Gate
import Lines
import Threads
import Vocabulary

extension LaneRunner {
    /// The lines that could not be had when the bank was opened take the lane out of service. Until `begin` no mode holds it open.
    package func start() {
        change { lane in
            lane.prepare()
            return []
        }
        let faults = bank.faults
        let missing = lines.all.filter { faults[$0] != nil }
        for line in missing { fail(line, faults[line]) }
        warn()
        if missing.isEmpty { settle() } else { linesFailed(tryAgainIn: Self.probeInterval) }
    }

    /// The faults that readers and radios cause are now exactly these; nil: those that there were. Writes to no line, for it is called
    /// while other readers wait: the lane's timekeeper does, once it is told that the lane has changed.
    /// - Parameter standing: asked under the lane's lock, so that of two threads the one with the newer answer has the last word. Must not
    ///   wait, nor call the lane.
    package func setReaderFaults(_ standing: () -> Set<LaneFault>?) {
        changeFaults { faults in
            if let standing = standing() { faults = faults.subtracting(LaneFault.ofReaders).union(standing) }
        }
    }

    /// Whether an input cannot be read. Writes to no line, for the thread of all inputs calls it: the timekeeper does.
    package func setInputFault(_ standing: Bool) {
        let isNews = changeFaults { faults in
            if standing { faults.insert(.input) } else { faults.remove(.input) }
        }
        if isNews { post { _ in [] } }
    }

    /// Whether the journal cannot be written at this moment: a fault where the lane needs it.
    func setJournalFault(_ failing: Bool) {
        let needsAudit = ask { $0.needsAudit }
        set(.journal, standing: failing && needsAudit)
        setDegraded(.journal, failing && !needsAudit)
    }

    /// A fault that is not the readers' is there or over.
    package func set(_ fault: LaneFault, standing: Bool) {
        let isNews = changeFaults { faults in
            if standing { faults.insert(fault) } else { faults.remove(fault) }
        }
        if isNews { settle() }
    }

    /// Writes every line of the lane at the level the machine wants, after lines were opened again: one
    /// that came back is de-energised, whatever it was before. When all work, the lane is in service.
    package func refresh() {
        let works = lines.all.reduce(true) { works, line in refresh(line) && works }
        warn()
        guard works else { return linesFailed(tryAgainIn: Self.probeInterval) }
        outputs.withLock { $0.probe = nil }
        set(.line, standing: false)
        settle()
    }

    /// Whether something is wrong that keeps nobody out; as long as anything is, people see it. Does not wait for lines.
    package func setDegraded(_ cause: LaneDegradation, _ isStanding: Bool) {
        let isNews = degraded.withLock { causes in
            let before = causes.isEmpty
            if isStanding { causes.insert(cause) } else { causes.remove(cause) }
            // Under the lock, so that of two threads the later one is told last.
            guard before != causes.isEmpty else { return false }
            change { $0.setDegraded(before) }
            return true
        }
        if isNews { wakeTimekeeper() }
    }

    /// What `status` says about this lane.
    package var snapshot: LaneSnapshot {
        let lane = ask { $0 }
        let wanted = lane.energised.map(lines.relay)
        return outputs.withLock { outputs in
            // Just being written is no fault yet.
            let hangs = outputs.drivenSince.map { MonotonicTime.milliseconds - $0 >= Self.probeInterval } ?? false
            let stuckOn = outputs.energised.filter { $0 != wanted && (hangs || outputs.failures[$0] != nil) }
            return LaneSnapshot(indicator: lane.indicator, state: lane.state, mode: lane.mode.mode, modeSource: lane.mode.source,
                                isArmed: lane.isArmed, relay: !outputs.energised.isEmpty, stuckOn: stuckOn.sorted(), faults: lane.standingFaults,
                                unsafeLines: outputs.unsafe.sorted(), lineFailures: outputs.failures)
        }
    }

    @discardableResult
    private func changeFaults(_ body: (inout Set<LaneFault>) -> Void) -> Bool {
        let changed: (before: Set<LaneFault>, now: Set<LaneFault>)? = change { lane in
            let before = Set(lane.standingFaults)
            var faults = before
            body(&faults)
            guard faults != before else { return (nil, []) }
            return ((before, faults), lane.setFaults(faults))
        }
        guard let changed else { return false }
        for fault in changed.now.subtracting(changed.before).sorted() {
            log.warning("\(fault.code): lane \(name): \(fault.message)")
        }
        if changed.now.isEmpty { log.notice("lane \(name): in service") }
        reportFaults(changed.now.sorted())
        return true
    }

    func reportFaults(_ faults: [LaneFault]) {
        let isUnsafe = outputs.withLock { !$0.unsafe.isEmpty }
        events.emit(.lane, ["lane": .string(name), "faults": .array(faults.map { .string($0.code) }),
                            "warnings": .array(isUnsafe ? [.string(LaneWarning.levelUnsafe.code)] : [])])
    }
}

/// What is wrong while a lane goes on serving: people see it (`degraded`), and somebody is to look at `status`.
package enum LaneDegradation: Hashable, Sendable {
    /// The journal cannot be written, and the lane opens all the same (`audit.on-failure = "allow"`).
    case journal
    /// Records wait for somebody to collect them, before they are written over.
    case collection
    /// An output of the lane is not safe by itself.
    case wiring
    /// The site data are older than they should be.
    case siteData
}

/// How a lane is at one moment, for `status`.
public struct LaneSnapshot: Sendable {
    /// The indicator people see.
    public let indicator: Signal
    /// What it is at this moment.
    public let state: LaneState
    /// The mode in force.
    public let mode: LaneMode
    /// Whose mode that is.
    public let modeSource: ModeSource
    /// Whether it raises alarms.
    public let isArmed: Bool
    /// Whether the relay was last written energised: what is on the line, not what is wanted.
    public let relay: Bool
    /// The relays that should be de-energised and could not be.
    public let stuckOn: [LineName]
    /// What keeps the lane out of service, in a stable order.
    public let faults: [LaneFault]
    /// The lines that were energised before the gate took them.
    public let unsafeLines: [LineName]
    /// The lines that failed, and how.
    public let lineFailures: [LineName: LineError]
}
