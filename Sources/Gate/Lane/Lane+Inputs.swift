extension Lane {
    /// An input of the lane has changed, debounced. Every change is recorded.
    public mutating func input(_ change: InputChange, at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, now in
            [.record(.input(change.kind, change.state))] + lane.take(change, at: now)
        }
    }

    private mutating func take(_ change: InputChange, at now: Instant) -> [LaneAction] {
        let isActive = change.state == .active
        switch change.kind {
        case .passageIn: return takePassage(.inward, change, at: now)
        case .passageOut: return takePassage(.outward, change, at: now)
        // A button that is found pressed is stuck: nobody pressed it.
        case .exitRequest: return isActive && !change.isFound ? requestExit(at: now) : []
        case .fire: contacts.fire = change.state
        case .tamper: contacts.tamper = isActive
        case .readerTamper: contacts.readerTamper = isActive
        case .mainsFail: contacts.mainsFail = isActive
        case .modeSwitch: contacts.modeSwitch = change.state
        }
        return []
    }

    private mutating func takePassage(_ sensor: Direction, _ change: InputChange, at now: Instant) -> [LaneAction] {
        switch change.state {
        case .active: beginPassage(sensor, isFound: change.isFound, at: now)
        case .inactive: endPassage(sensor)
        case .faulty: loseSensor(sensor)
        }
    }

    // Exit request ---------------------------------------------------------------------------------

    /// Somebody inside wants out. Works in every mode but a lockdown that forbids it, and whatever faults there are: nobody
    /// is locked in because a reader is broken.
    private mutating func requestExit(at now: Instant) -> [LaneAction] {
        guard mayExit else { return [] }
        contacts.exitWanted = true
        return []
    }

    private var mayExit: Bool {
        guard fireRelease == nil, !isStopped else { return false }
        return mode.mode != .lockedDown || rules.exitRequestWhenLocked
    }

    /// Lets out whoever wanted out, as soon as the relay lets nobody through the other way.
    mutating func admitWaitingExit(at now: Instant) -> [LaneAction] {
        guard contacts.exitWanted else { return [] }
        guard mayExit else {
            contacts.exitWanted = false
            return []
        }
        if let direction = relay.direction, !serves(direction, .outward) { return [] }
        contacts.exitWanted = false
        return [.record(.release(.outward, by: .exitRequest))] + letThrough(.exitRequest, .outward, at: now)
    }

    // Fire -----------------------------------------------------------------------------------------

    /// Whether the fire alarm overrides everything. A wire that tells nothing counts as an alarm where the installer has
    /// not said otherwise: life first.
    var isOnFire: Bool {
        switch contacts.fire {
        case .inactive: false
        case .active: true
        case .faulty: rules.releasesOnFireFault
        }
    }

    /// The direction that the fire alarm holds open.
    var fireRelease: Direction? {
        guard isOnFire, !isStopped else { return nil }
        return switch rules.onFire {
        case .release(let direction): direction
        case .stay: nil
        }
    }

    /// What follows when the fire alarm begins or ends.
    mutating func followFire(_ before: Lane, at now: Instant) -> [LaneAction] {
        if isOnFire, !before.isOnFire { lights.endTemporary() }
        if !isOnFire, before.isOnFire { countHeldAnew(at: now) }
        guard fireRelease != before.fireRelease, !isStopped else { return [] }
        return [.record(.fireRelease(fireRelease))]
    }
}
