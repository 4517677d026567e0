import ControlProtocol
import Encoding
import Gate
import Service
import Storage
import Threads
import Vocabulary

/// Tells what has happened on one lane: to the journal, with what it changes in the state; to anti-passback; to subscribers; to the log.
/// In the order in which it happened. Waits for nothing, and asks the lane nothing.
///
/// One thread at a time calls, under the lane's `reporting`. `recorded` and `standsOpen` guard a value each, and nothing is called under them.
package final class LaneReporter: Sendable {
    private let lane: String
    private let journal: Journal
    private let state: GateState
    private let clock: SystemClock
    private let events: EventHub
    private let log: Log
    /// The grant whose passage was just recorded, with its effects.
    private let recorded = Mutex<GrantIdentity?>(nil)
    /// Whether the lane's mode lets everybody through, and whether a fire does.
    private let standsOpen = Mutex((mode: false, fire: false))

    package init(lane: String, journal: Journal, state: GateState, clock: SystemClock, events: EventHub, log: Log) {
        self.lane = lane
        self.journal = journal
        self.state = state
        self.clock = clock
        self.events = events
        self.log = log
    }

    /// One thing that happened.
    package func report(_ action: LaneAction) {
        let now = clock.now()
        switch action {
        case .record(let record): write(record, at: now)
        case .passed(let grant, let direction): passed(grant, direction, at: now)
        case .notPassed(let grant, _): state.passback.notPassed(grant)
        // Lines are somebody else's.
        case .setRelay, .show: break
        }
    }

    // Passages -------------------------------------------------------------------------------------

    /// Where a sensor has seen it, the record is written; without one the relay's moving is all that is known.
    private func passed(_ grant: GrantIdentity, _ direction: Direction, at now: WallTime) {
        let isRecorded = recorded.withLock { recorded in
            defer { recorded = nil }
            return recorded == grant
        }
        guard !isRecorded else { return }
        state.passback.passed(grant, lane: lane, direction, at: now) { effects in
            guard !effects.isEmpty else { return }
            write(.passage, "let-through", ["direction": .text(direction.rawValue), "outcome": .unsigned(grant.outcome)], effects, at: now)
        }
    }

    private func write(_ finding: PassageFinding, _ direction: Direction?, _ grant: GrantIdentity?, at now: WallTime) {
        var detail: [String: CBOR] = [:]
        detail["direction"] = direction.map { .text($0.rawValue) }
        detail["outcome"] = grant.map { .unsigned($0.outcome) }
        if finding == .passed, let grant, let direction {
            recorded.withLock { $0 = grant }
            state.passback.passed(grant, lane: lane, direction, at: now) { write(.passage, finding.rawValue, detail, $0, at: now) }
        } else {
            write(.passage, finding.rawValue, detail, at: now)
        }
        var event: JSONObject = ["finding": .string(StoredWord.shown(finding.rawValue))]
        event["direction"] = direction.map { .string($0.rawValue) }
        emit(.passage, event)
    }

    // Everything else ------------------------------------------------------------------------------

    private func write(_ record: LaneRecord, at now: WallTime) {
        switch record {
        case .passage(let finding, let direction, let grant):
            write(finding, direction, grant, at: now)
        case .input(let kind, let input):
            write(.input, kind.rawValue, ["state": .text(input.word)], at: now)
            emit(.input, ["input": .string(StoredWord.shown(kind.rawValue)), "state": .string(input.word)])
        case .release(let direction, let cause):
            release(direction, cause, "released", at: now)
        case .releaseFailed(let direction, let cause):
            release(direction, cause, "release-failed", at: now)
        case .mode(let mode, let direction, let source, let requester):
            write(mode, direction, source, requester, at: now)
        case .orderOver(let mode, let source):
            over(mode, source, at: now)
        case .armed(let isArmed, let requester):
            // What an operator asked for is written down where it is asked for.
            if requester == nil { write(.mode, isArmed ? "armed" : "disarmed", at: now) }
            emit(.mode, ["armed": .bool(isArmed)])
        case .alarm(let cause):
            log.warning("\(StoredWord.shown(cause.rawValue)): lane \(lane): alarm")
            write(.passage, "alarm", ["cause": .text(cause.rawValue)], at: now)
            emit(.alarm, ["cause": .string(StoredWord.shown(cause.rawValue)), "on": true])
        case .alarmOver:
            write(.passage, "alarm-over", at: now)
            emit(.alarm, ["on": false])
        case .fireRelease(let direction):
            fire(direction, at: now)
        }
    }

    private func release(_ direction: Direction, _ cause: GrantCause, _ finding: String, at now: WallTime) {
        let by = switch cause {
        case .credential: "credential"
        case .requestToExit: "exit-request"
        case .release: "operator"
        }
        var detail: [String: CBOR] = ["direction": .text(direction.rawValue), "by": .text(by)]
        if case .release(let requester) = cause { detail.merge(requester.detail) { own, _ in own } }
        write(.passage, finding, detail, at: now)
        emit(.passage, ["finding": .string(finding), "direction": .string(direction.rawValue), "by": .string(StoredWord.shown(by))])
    }

    private func write(_ mode: LaneMode, _ direction: Direction?, _ source: ModeSource, _ requester: Requester?, at now: WallTime) {
        let moment = Instant(milliseconds: MonotonicTime.milliseconds)
        var ended = state.endOrder(ofLane: lane, at: moment) + state.endOrder(ofLane: GateState.phones(ofLane: lane), at: moment)
        if source != .phone { ended += state.endPhonesOrder(ofLane: lane, against: mode) }
        var detail: [String: CBOR] = ["source": .text(source.rawValue)]
        detail["direction"] = direction.map { .text($0.rawValue) }
        if let requester { detail.merge(requester.detail) { own, _ in own } }
        if opened({ $0.mode = mode.opens }) {
            state.passback.doubt(aroundLane: lane) { write(.mode, mode.rawValue, detail, $0 + ended, at: now) }
        } else {
            write(.mode, mode.rawValue, detail, ended, at: now)
        }
        var event: JSONObject = ["mode": .string(mode.rawValue), "source": .string(source.rawValue)]
        event["direction"] = direction.map { .string($0.rawValue) }
        event["user"] = requester.map { .integer(Int64($0.user)) }
        emit(.mode, event)
        log.notice("lane \(lane): mode \(mode.rawValue)\(direction.map { " \($0.rawValue)" } ?? ""), by \(source.rawValue)")
    }

    /// The time of a mode that was not in force, for the switch stands above it.
    private func over(_ mode: LaneMode, _ source: ModeSource, at now: WallTime) {
        let moment = Instant(milliseconds: MonotonicTime.milliseconds)
        let ended = state.endOrder(ofLane: source == .phone ? GateState.phones(ofLane: lane) : lane, at: moment)
        write(.mode, LaneMode.normal.rawValue, ["what": "over", "was": .text(mode.rawValue), "source": .text(source.rawValue)], ended, at: now)
        log.notice("lane-mode-over: lane \(lane): the time of \(mode.rawValue), by \(source.rawValue), is over; the switch goes on standing above it")
    }

    private func fire(_ direction: Direction?, at now: WallTime) {
        _ = opened { $0.fire = direction != nil }
        var detail: [String: CBOR] = [:]
        detail["direction"] = direction.map { .text($0.rawValue) }
        state.passback.doubt(aroundLane: lane) {
            write(.input, direction == nil ? "fire-release-over" : "fire-release", detail, $0, at: now)
        }
        if let direction {
            log.warning("fire-release: lane \(lane) is held open, \(direction.rawValue)")
        } else {
            log.notice("fire-release-over: lane \(lane)")
        }
    }

    /// Whether the way stands open from now on, or has stood open until now.
    private func opened(_ change: (inout (mode: Bool, fire: Bool)) -> Void) -> Bool {
        let (before, isOpen) = standsOpen.withLock { standsOpen in
            let before = standsOpen.mode || standsOpen.fire
            change(&standsOpen)
            return (before, standsOpen.mode || standsOpen.fire)
        }
        state.passback.setOpen(isOpen, lane: lane)
        return before || isOpen
    }

    private func write(_ kind: JournalKind, _ reason: String, _ detail: [String: CBOR] = [:], _ effects: [StateEffect] = [], at now: WallTime) {
        _ = journal.append(JournalEntry(kind: kind, time: JournalTime(now), lane: lane, reason: reason, detail: detail, effects: effects))
    }

    private func emit(_ kind: GateEvent.Kind, _ fields: JSONObject) {
        var fields = fields
        fields["lane"] = .string(lane)
        events.emit(kind, fields)
    }
}
