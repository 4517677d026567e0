import Credentials
import Vocabulary

extension Lane {
    /// What stands in the way of a grant in `direction` over `carrier` at `now`.
    /// - Parameter credential: what was proved, where a cooldown of its own may stand in its way (T7, T9).
    public func condition(_ direction: Direction = .in, for carrier: Carrier, credential: [UInt8]? = nil,
                          at now: Instant) -> LaneCondition {
        if isUnderTest { return .closed }
        if isOutOfService { return .outOfService }
        if let open = everybodyPasses {
            guard serves(open, direction) else { return .closed }
            if isReserved { return .busy }
            if let until = isCrowded(direction) { return .occupied(until: until) }
            return cooldowns.standingForPhone(over: carrier, credential, at: now).map { .resting($0) } ?? .clear
        }
        switch mode.mode {
        case .lockedDown, .closed: return .closed
        // A mode that would hold the lane open and cannot, for want of its lines, is out of service.
        case .normal, .heldOpen, .freePassage: break
        }
        if isReserved { return .busy }
        if let until = occupied(direction) ?? isCrowded(direction) { return .occupied(until: until) }
        if let cooldown = cooldowns.standing(for: carrier, credential: credential, at: now) { return .resting(cooldown) }
        return .clear
    }

    /// Until when the relay lets somebody through whose turn must be over first: the other way, or one person at a time.
    private func occupied(_ direction: Direction) -> Instant? {
        guard case .energised(let current, let until) = relay else { return nil }
        return rules.hold(current) == .untilPassage || !serves(current, direction) ? until : nil
    }

    /// Takes the lane for one grant if nothing stands in its way. Asking and taking
    /// are one step, so that of two readers of a lane only one is granted.
    public mutating func reserve(_ direction: Direction = .in, for carrier: Carrier, credential: [UInt8]? = nil,
                                 at now: Instant) -> LaneReservation {
        let condition = condition(direction, for: carrier, credential: credential, at: now)
        switch condition {
        case .clear: break
        case .resting, .busy, .occupied, .closed, .outOfService: return LaneReservation(nothing: condition)
        }
        return hold(direction)
    }

    mutating func hold(_ direction: Direction) -> LaneReservation {
        reservations += 1
        reserved = reservations
        return LaneReservation(direction, number: reservations)
    }

    /// The direction of the reservation, and the lane is held no longer; nil where that reservation does not hold it.
    mutating func end(_ reservation: consuming LaneReservation) -> Direction? {
        guard reserved == reservation.number else { return nil }
        reserved = nil
        return reservation.direction
    }

    /// The grant of the reservation stands: lets that person through and starts the cooldown at `now`. Something that has
    /// come up since the reservation wins (a fault, also one that is over, a lockdown, a request to exit the other way): the
    /// answer is nil, and nobody is let through. Where the lane is open already the relay stays as it is.
    /// - Parameter phone: which is not served over BLE for a while after this (T7, T9).
    public mutating func open(_ reservation: consuming LaneReservation, for grant: GrantIdentity, resting phone: PhoneCooldown? = nil,
                              at now: Instant) -> [LaneAction]? {
        guard let direction = end(reservation), canOpen(direction) else { return nil }
        return acting(at: now) { lane, now in
            if lane.movesRelay(direction) { lane.cooldowns.recordSuccess(relay: now) }
            if let phone { lane.cooldowns.recordCooldown(of: phone, at: now) }
            return lane.letThrough(.credential(grant), direction, at: now)
        }
    }

    private func canOpen(_ direction: Direction) -> Bool {
        guard !isOutOfService, !isStopped, !isUnderTest, isCrowded(direction) == nil else { return false }
        if let open = everybodyPasses { return serves(open, direction) }
        switch mode.mode {
        case .lockedDown, .closed: return false
        case .normal, .heldOpen, .freePassage: return occupied(direction) == nil
        }
    }

    /// The grant of the reservation does not stand (its record could not be made durable).
    public mutating func giveBack(_ reservation: consuming LaneReservation) {
        _ = end(reservation)
    }

    /// The relay was driven as the lane wants it. A lane that has no sensor for it takes a person whom it let through
    /// as passed.
    public mutating func confirm() -> [LaneAction] {
        guard waits.pending.contains(where: { !hasSensor($0.direction) }) else { return [] }
        return acting(at: clock) { lane, _ in lane.passUnseen() }
    }

    /// The relay could not be driven. The latest grant is void, and one on its way to the disk, too: its relay is wanted de-energised, so that a line
    /// that recovers a moment later does not open the gate to nobody. Fire and modes go on wanting theirs.
    public mutating func abandon() -> [LaneAction] {
        acting(at: clock) { lane, _ in
            lane.reserved = nil
            lane.test?.relay = .deenergised
            guard case .energised(let direction, _) = lane.relay else { return [] }
            lane.relay = .deenergised
            lane.indicators.endTemporary()
            guard let wait = lane.waits.removeLatest(direction) else { return [] }
            // A release starts no rest: whoever rests was let through before it.
            if wait.cause.identity != nil { lane.cooldowns.withdrawSuccess(relay: wait.began) }
            return lane.voidedByRelay(wait)
        }
    }

    /// A run over `carrier` was denied at `now`. Only a denial that counts as a failure starts the
    /// cooldown of T8; one by cooldown does not (T7, T8).
    /// - Parameter isWait: whether a moment's wait fixes it.
    public mutating func deny(over carrier: Carrier, countsAsFailure: Bool, isWait: Bool = false, at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, now in
            if countsAsFailure { lane.cooldowns.recordFailure(over: carrier, at: now) }
            // Somebody may be walking through: what they see stays as it is.
            guard lane.energised == nil, !lane.isOnFire else { return [] }
            lane.indicators.show(isWait ? .wait : .denied, from: now, until: now + lane.rules.display)
            return []
        }
    }

    /// A phone is being talked to at one more reader.
    public mutating func beginReading(at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, _ in
            lane.readings += 1
            return []
        }
    }

    /// The conversation at one reader is over.
    public mutating func endReading(at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, _ in
            lane.readings = max(0, lane.readings - 1)
            return []
        }
    }
}
