import Vocabulary

extension Lane {
    /// An input of the lane has changed, debounced. Every change is recorded.
    public mutating func input(_ change: InputChange, at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, now in
            [.record(.input(change.kind, change.state))] + lane.apply(change, at: now)
        }
    }

    private mutating func apply(_ change: InputChange, at now: Instant) -> [LaneAction] {
        let isActive = change.state == .active
        switch change.kind {
        case .passageIn: return applyPassage(.in, change, at: now)
        case .passageOut: return applyPassage(.out, change, at: now)
        // A button that is found pressed is stuck: nobody pressed it.
        case .requestToExit:
            contacts.isExitFaulty = change.state.isFaulty
            if isActive && !change.isFound { requestExit() }
        case .fire: contacts.fire = change.state
        case .tamper: contacts.tamper = isActive
        case .readerTamper: contacts.readerTamper = isActive
        case .powerFail: contacts.powerFail = isActive
        case .modeSwitch: contacts.modeSwitch = change.state
        }
        return []
    }

    private mutating func applyPassage(_ sensor: Direction, _ change: InputChange, at now: Instant) -> [LaneAction] {
        switch change.state {
        case .active: beginPassage(sensor, isFound: change.isFound, at: now)
        case .inactive: endPassage(sensor, at: now)
        case .faulty: loseSensor(sensor, at: now)
        }
    }

    // Request to exit ---------------------------------------------------------------------------------

    /// Milliseconds between the pulses of two presses that had to wait: a relay that stays energised is one release to a turnstile.
    public static let pauseBetweenExits: Int64 = 200

    /// Somebody inside wants out. Works in every mode but a lockdown that forbids it, and whatever faults there are: nobody
    /// is locked in because a reader is broken.
    private mutating func requestExit() {
        if mayExit { contacts.exitsWanted = min(contacts.exitsWanted + 1, PassageWaits.most) }
    }

    private var mayExit: Bool {
        guard fireRelease == nil, !isStopped else { return false }
        return mode.mode != .lockedDown || rules.requestToExitWhenLocked
    }

    /// Lets out whoever wanted out, as soon as the relay lets nobody through the other way. Who had to wait has a pulse of their own.
    mutating func admitWaitingExit(_ before: Lane, at now: Instant) -> [LaneAction] {
        guard contacts.exitsWanted > 0 else { return [] }
        guard mayExit else {
            contacts.forgetExits()
            return []
        }
        if let direction = relay.direction, contacts.hasExitWaited || !serves(direction, .out) {
            (contacts.hasExitWaited, contacts.exitNotBefore) = (true, nil)
            return []
        }
        if contacts.hasExitWaited, let direction = before.relay.direction, !relay.isEnergised, serves(direction, .out) {
            contacts.exitNotBefore = now + Self.pauseBetweenExits
        }
        if let time = contacts.exitNotBefore, now < time { return [] }
        contacts.exitsWanted -= 1
        contacts.exitNotBefore = nil
        if contacts.exitsWanted == 0 { contacts.forgetExits() }
        return [.record(.release(.out, by: .requestToExit))] + letThrough(.requestToExit, .out, at: now)
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
        if isOnFire, !before.isOnFire { indicators.endTemporary() }
        guard fireRelease != before.fireRelease, !isStopped else { return [] }
        return [.record(.fireRelease(fireRelease))]
    }
}
