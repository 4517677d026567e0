import ControlProtocol
import Encoding
import Gate
import Lanes
import Service
import Storage
import Threads
import Vocabulary

extension Controller {
    /// How a lane is.
    func laneReport(_ name: String) throws(ControlError) -> JSON {
        guard let lane = statusReport.lane(named: name) else { throw unknown(lane: name) }
        return lane
    }

    /// The same, once the record of what an operator asked of it is on the disk, or the disk takes too long.
    func laneReport(_ name: String, asked ticket: JournalTicket) throws(ControlError) -> JSON {
        let isDurable = ticket.isSoonDurable
        guard case .object(var fields) = try laneReport(name) else { throw unknown(lane: name) }
        fields["journalled"] = .bool(isDurable)
        return .object(fields)
    }

    /// Does at once what an operator wants of a lane. Waits neither for the disk nor, but to toggle an output, for
    /// lines.
    /// - Returns: the record of it, whose way to the disk the answer waits for.
    func act(_ request: LaneRequest, by requester: Requester) throws(ControlError) -> JournalTicket {
        guard let lane = layout.withLock({ $0.lanes[request.lane] }) else { throw unknown(lane: request.lane) }
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        switch request.action {
        case .mode(let mode, let direction, let milliseconds):
            let time = parts.clock.now().milliseconds
            let order = LaneOrder(mode, direction, milliseconds, requester, at: time)
            lane.setMode(order?.modeRequest(until: milliseconds.map { now + $0 }), by: requester, at: now)
            parts.state.setEnd(milliseconds.map { now + $0 }, ofLane: lane.name)
            let effects = [parts.state.set(order, ofLane: lane.name)] + parts.state.endPhonesOrder(ofLane: lane.name)
            return record(request, requester, order?.detail ?? [:], effects)
        case .release(let direction):
            do throws(LaneRefusal) {
                try lane.release(direction, by: requester, at: now)
            } catch {
                record(request, requester, ["refused": .text(error.code)])
                throw ControlError(code: error.code, message: error.message)
            }
            return record(request, requester, direction.map { ["direction": .text($0.rawValue)] } ?? [:])
        case .arm, .disarm:
            let armed = request.action == .arm
            lane.setArmed(armed, by: requester, at: now)
            return record(request, requester, [:], [parts.state.set(armed: armed, lane: lane.name)])
        case .toggle(let output):
            return try toggle(output, request, by: requester)
        }
    }

    @discardableResult
    func record(_ request: LaneRequest, _ requester: Requester, _ detail: [String: CBOR] = [:], _ effects: [StateEffect] = []) -> JournalTicket {
        parts.recorder.record(.mode, "asked", lane: request.lane, reason: request.action.word,
                     detail: requester.detail.merging(detail) { own, _ in own }, effects: effects)
    }

    func unknown(lane: String) -> ControlError {
        .laneUnknown(lane, known: layout.withLock { $0 }.configuration.lanes.map(\.name))
    }

    // After a restart ------------------------------------------------------------------------------

    /// What operators and phones asked of the lanes before the gate was started again holds again, as far as its time is not over.
    func restoreOrders() {
        let layout = layout.withLock { $0 }
        for (name, lane) in layout.lanes {
            if let modeRequest = revivedRequest(ofLane: name, slot: GateState.phones(ofLane: name)) {
                lane.restoreOrder(modeRequest, at: Instant(milliseconds: MonotonicTime.milliseconds))
                log.notice("lane-mode-restored: lane \(name): \(modeRequest.mode.rawValue), as a phone had ordered")
            }
            let isArmed = parts.state.isArmed(lane: name)
            let modeRequest = revivedRequest(ofLane: name)
            guard modeRequest != nil || !isArmed else { continue }
            lane.restore(modeRequest, isArmed: isArmed, at: Instant(milliseconds: MonotonicTime.milliseconds))
            guard let modeRequest else { continue }
            log.notice("lane-mode-restored: lane \(name): \(modeRequest.mode.rawValue), as an operator had asked")
        }
    }

    private func revivedRequest(ofLane lane: String, slot: String? = nil) -> ModeRequest? {
        let slot = slot ?? lane
        guard let order = parts.state.order(ofLane: slot) else { return nil }
        switch order.revival(by: parts.clock.now()) {
        case .holds(let milliseconds):
            let end = milliseconds.map { Instant(milliseconds: MonotonicTime.milliseconds) + $0 }
            parts.state.setEnd(end, ofLane: slot)
            return order.modeRequest(until: end)
        case .isOver:
            log.notice("lane-mode-over: lane \(lane): the time of \(order.mode.rawValue) is over, or nobody knows the time")
            parts.recorder.record(.mode, "over", lane: lane, reason: LaneMode.normal.rawValue, effects: [parts.state.set(nil, ofLane: slot)])
            return nil
        }
    }

    /// Orders that were kept without an end because nobody knew the time get it once somebody does.
    func endOrdersOfUnknownTime() {
        let clock = parts.clock.now()
        guard clock.doubt == nil else { return }
        for (name, lane) in layout.withLock({ $0.lanes }) {
            endPhonesOrderOfUnknownTime(name, lane)
            guard let order = parts.state.order(ofLane: name), order.until != nil, parts.state.end(ofLane: name) == nil else { continue }
            let now = Instant(milliseconds: MonotonicTime.milliseconds)
            let modeRequest = revivedRequest(ofLane: name)
            // Somebody may have asked for another meanwhile, or for none: that holds.
            guard modeRequest == nil || parts.state.order(ofLane: name) == order else { continue }
            lane.restore(modeRequest, isArmed: parts.state.isArmed(lane: name), at: now)
        }
    }

    private func endPhonesOrderOfUnknownTime(_ name: String, _ lane: LaneRunner) {
        let slot = GateState.phones(ofLane: name)
        guard let order = parts.state.order(ofLane: slot), order.until != nil, parts.state.end(ofLane: slot) == nil else { return }
        let modeRequest = revivedRequest(ofLane: name, slot: slot)
        guard modeRequest == nil || parts.state.order(ofLane: slot) == order else { return }
        lane.restoreOrder(modeRequest, at: Instant(milliseconds: MonotonicTime.milliseconds))
    }
}

extension LaneOrder {
    /// The order that a request is; nil for `normal`, which ends any.
    init?(_ mode: LaneRequest.Mode, _ direction: Direction?, _ milliseconds: Int64?, _ requester: Requester, at now: Int64) {
        let asked: LaneMode
        switch mode {
        case .holdOpen: asked = .heldOpen
        case .lockDown: asked = .lockedDown
        case .free: asked = .freePassage
        case .close: asked = .closed
        case .normal: return nil
        }
        self.init(mode: asked, direction: direction, since: now, until: milliseconds.map { now + $0 }, requester: requester)
    }

    /// What the lane is told.
    func modeRequest(until: Instant?) -> ModeRequest { ModeRequest(mode, direction: direction, until: until) }

    /// What its record says besides who asked.
    var detail: [String: CBOR] {
        var detail: [String: CBOR] = [:]
        detail["direction"] = direction.map { .text($0.rawValue) }
        detail["until"] = until.map { .text(UTCText.make(milliseconds: $0)) }
        return detail
    }
}
