import Vocabulary

extension Lane {
    /// The mode in force: the switch before an operator, an operator before a phone, a phone before a schedule, and without all of
    /// them normal. Fire stands above all modes, and is none.
    public var mode: ModeInForce {
        if isSwitched { return inForce(ModeRequest(rules.switchMode), .input) }
        if let modeRequest = modeRequests.operator { return inForce(modeRequest, .operator) }
        if let modeRequest = modeRequests.phone { return inForce(modeRequest, .phone) }
        if let modeRequest = modeRequests.schedule { return inForce(modeRequest, .schedule) }
        return inForce(ModeRequest(.normal), .standard)
    }

    /// Whether the mode switch is turned. One of which nothing is known, at the start or because its line cannot be read, counts
    /// as turned where it keeps people out, and as not turned where it would let everybody through: no fault opens a lane.
    var isSwitched: Bool {
        switch contacts.modeSwitch {
        case .active: return true
        case .inactive: return false
        case .faulty, nil: break
        }
        guard contacts.modeSwitch != nil || rules.inputs.contains(.modeSwitch) else { return false }
        return switch rules.switchMode {
        case .lockedDown, .closed: true
        case .normal, .heldOpen, .freePassage: false
        }
    }

    private func inForce(_ modeRequest: ModeRequest, _ source: ModeSource) -> ModeInForce {
        let direction: Direction? = switch modeRequest.mode {
        case .heldOpen, .freePassage: modeRequest.direction ?? rules.freePassage
        case .normal, .lockedDown, .closed: nil
        }
        return ModeInForce(mode: modeRequest.mode, direction: direction, source: source)
    }

    /// What the schedules of the site want at this time; nil for nothing. Where they come to shut the lane, no phone holds it open any longer:
    /// whoever asked a minute before could not have asked now.
    public mutating func setMode(bySchedule modeRequest: ModeRequest?, at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, _ in
            lane.modeRequests.schedule = modeRequest
            lane.endWhatPhonesHoldOpen(against: modeRequest?.mode)
            return []
        }
    }

    /// What an operator wants; nil, or `normal`, ends what an operator wanted before. Either ends what phones have ordered: nothing of
    /// theirs comes back when the operator's time is over.
    public mutating func setMode(_ modeRequest: ModeRequest?, by requester: Requester, at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, _ in
            lane.modeRequests.phone = nil
            lane.setOperator(modeRequest, requester)
            return []
        }
    }

    /// What an operator wanted before the gate was started again. It was recorded then.
    public mutating func restore(_ modeRequest: ModeRequest?, isArmed: Bool, at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, _ in
            lane.setOperator(modeRequest, nil)
            lane.alarm.isArmed = isArmed
            return []
        }
    }

    /// The gate starts: until `begin` no mode holds the lane open, and none is recorded. What operator, phone, plan and contacts want comes
    /// one after the other, and a lane that is locked down must not open for what came first.
    public mutating func prepare() {
        isStarting = true
    }

    /// All that is wanted of the lane is known.
    public mutating func begin(at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, _ in
            lane.isStarting = false
            return []
        }
    }

    private mutating func setOperator(_ modeRequest: ModeRequest?, _ requester: Requester?) {
        modeRequests.operator = modeRequest?.mode == .normal ? nil : modeRequest
        modeRequests.requester = requester
    }

    /// Ends the requests of operators and phones whose time is over. Of one that was not in force, for the key switch stands above it, that is
    /// recorded by itself.
    mutating func expireRequest(at now: Instant) -> [LaneAction] {
        let inForce = mode.source
        var over: [LaneAction] = []
        if let modeRequest = modeRequests.phone, let until = modeRequest.until, until <= now {
            modeRequests.phone = nil
            if inForce != .phone { over.append(.record(.orderOver(modeRequest.mode, source: .phone))) }
        }
        if let modeRequest = modeRequests.operator, let until = modeRequest.until, until <= now {
            setOperator(nil, nil)
            if inForce != .operator { over.append(.record(.orderOver(modeRequest.mode, source: .operator))) }
        }
        return over
    }

    /// Lets one person through, as an operator asks; nil leaves the direction to the lane.
    public mutating func release(_ direction: Direction?, by requester: Requester, at now: Instant) throws(LaneRefusal) -> [LaneAction] {
        let direction = direction ?? .in
        if let refusal = refusal(direction) { throw refusal }
        return acting(at: now) { lane, now in
            [.record(.release(direction, by: .release(requester)))] + lane.letThrough(.release(requester), direction, at: now)
        }
    }

    private func refusal(_ direction: Direction) -> LaneRefusal? {
        if fireRelease != nil { return .open }
        if isUnderTest { return .busy }
        if mode.mode == .lockedDown { return .lockedDown }
        if faults.contains(where: \.stopsRelease) || isStopped { return .fault }
        if let open = openDirection, serves(open, direction) { return .open }
        if let current = relay.direction, !serves(current, direction) { return .busy }
        if isCrowded(direction) != nil { return .busy }
        return nil
    }

    /// What follows when another mode is in force than before.
    mutating func followMode(_ before: Lane, at now: Instant) -> [LaneAction] {
        // A lane that was shut over their heads does not spring open afterwards.
        if mode.mode == .lockedDown, mode.source != .phone { modeRequests.phone = nil }
        if mode.source != .phone { endWhatPhonesHoldOpen(against: mode.mode) }
        if everybodyPasses == nil, before.everybodyPasses != nil { countHeldAnew(at: now) }
        if mode.mode == .lockedDown, before.mode.mode != .lockedDown { cutPulse() }
        let told = before.isStarting ? ModeInForce(mode: .normal, direction: nil, source: .standard) : before.mode
        guard !isStarting, mode != told else { return [] }
        return [.record(.mode(mode.mode, direction: mode.direction, source: mode.source,
                              requester: mode.source == .operator ? modeRequests.requester : nil))]
    }

    /// No phone holds a lane open that somebody else shuts.
    mutating func endWhatPhonesHoldOpen(against mode: LaneMode?) {
        guard mode == .lockedDown || mode == .closed, modeRequests.phone?.mode.opens == true else { return }
        modeRequests.phone = nil
    }

    /// A lockdown de-energises the relay at once. Whoever was let through a moment ago is waited for all the same.
    private mutating func cutPulse() {
        relay = .deenergised
        indicators.endTemporary()
    }
}

extension LaneFault {
    /// Whether even an operator lets nobody through by hand: only where the lines themselves are not to be trusted.
    var stopsRelease: Bool { self == .line }
}

/// The mode of a lane at one moment, and whose it is.
public struct ModeInForce: Hashable, Sendable {
    /// The mode.
    public let mode: LaneMode
    /// Which way it holds the lane open; nil where it holds nothing open.
    public let direction: Direction?
    /// Whose it is.
    public let source: ModeSource
}
