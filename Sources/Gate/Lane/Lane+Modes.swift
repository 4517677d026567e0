extension Lane {
    /// The mode in force: the switch before an operator, an operator before a phone, a phone before a schedule, and without all of
    /// them normal. Fire stands above all modes, and is none.
    public var mode: ModeInForce {
        if isSwitched { return inForce(ModeWish(rules.switchMode), .input) }
        if let wish = wishes.operator { return inForce(wish, .operator) }
        if let wish = wishes.phone { return inForce(wish, .phone) }
        if let wish = wishes.schedule { return inForce(wish, .schedule) }
        return inForce(ModeWish(.normal), .standard)
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

    private func inForce(_ wish: ModeWish, _ source: ModeSource) -> ModeInForce {
        let direction: Direction? = switch wish.mode {
        case .heldOpen, .freePassage: wish.direction ?? rules.freePassage
        case .normal, .lockedDown, .closed: nil
        }
        return ModeInForce(mode: wish.mode, direction: direction, source: source)
    }

    /// What the schedules of the site want at this time; nil for nothing. Where they come to shut the lane, no phone holds it open any longer:
    /// whoever asked a minute before could not have asked now.
    public mutating func setMode(bySchedule wish: ModeWish?, at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, _ in
            lane.wishes.schedule = wish
            lane.endWhatPhonesHoldOpen(against: wish?.mode)
            return []
        }
    }

    /// What an operator wants; nil, or `normal`, ends what an operator wanted before. Either ends what phones have ordered: nothing of
    /// theirs comes back when the operator's time is over.
    public mutating func setMode(_ wish: ModeWish?, by asker: Asker, at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, _ in
            lane.wishes.phone = nil
            lane.setOperator(wish, asker)
            return []
        }
    }

    /// What an operator wanted before the gate was started again. It was recorded then.
    public mutating func restore(_ wish: ModeWish?, isArmed: Bool, at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, _ in
            lane.setOperator(wish, nil)
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

    private mutating func setOperator(_ wish: ModeWish?, _ asker: Asker?) {
        wishes.operator = wish?.mode == .normal ? nil : wish
        wishes.asker = asker
    }

    /// Ends the wishes of operators and phones whose time is over. Of one that was not in force, for the key switch stands above it, that is
    /// recorded by itself.
    mutating func expireWish(at now: Instant) -> [LaneAction] {
        let inForce = mode.source
        var over: [LaneAction] = []
        if let wish = wishes.phone, let until = wish.until, until <= now {
            wishes.phone = nil
            if inForce != .phone { over.append(.record(.orderOver(wish.mode, source: .phone))) }
        }
        if let wish = wishes.operator, let until = wish.until, until <= now {
            setOperator(nil, nil)
            if inForce != .operator { over.append(.record(.orderOver(wish.mode, source: .operator))) }
        }
        return over
    }

    /// Lets one person through, as an operator asks; nil leaves the direction to the lane.
    public mutating func release(_ direction: Direction?, by asker: Asker, at now: Instant) throws(LaneRefusal) -> [LaneAction] {
        let direction = direction ?? .inward
        if let refusal = refusal(direction) { throw refusal }
        return acting(at: now) { lane, now in
            [.record(.release(direction, by: .release(asker)))] + lane.letThrough(.release(asker), direction, at: now)
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
        if mode.mode == .lockedDown, mode.source != .phone { wishes.phone = nil }
        if mode.source != .phone { endWhatPhonesHoldOpen(against: mode.mode) }
        if everybodyPasses == nil, before.everybodyPasses != nil { countHeldAnew(at: now) }
        if mode.mode == .lockedDown, before.mode.mode != .lockedDown { cutPulse() }
        let told = before.isStarting ? ModeInForce(mode: .normal, direction: nil, source: .standard) : before.mode
        guard !isStarting, mode != told else { return [] }
        return [.record(.mode(mode.mode, direction: mode.direction, source: mode.source,
                              asker: mode.source == .operator ? wishes.asker : nil))]
    }

    /// No phone holds a lane open that somebody else shuts.
    mutating func endWhatPhonesHoldOpen(against mode: LaneMode?) {
        guard mode == .lockedDown || mode == .closed, wishes.phone?.mode.opens == true else { return }
        wishes.phone = nil
    }

    /// A lockdown puts the relay to rest at once. Whoever was let through a moment ago is waited for all the same.
    private mutating func cutPulse() {
        relay = .rest
        lights.endTemporary()
    }
}

extension LaneFault {
    /// Whether even an operator lets nobody through by hand: only where the lines themselves are not to be trusted.
    var stopsRelease: Bool { self == .line }
}
