extension Lane {
    /// What the lane is at this moment.
    public var state: LaneState {
        if isOnFire { return .fire(fireRelease) }
        if let cause = alarmShown { return .alarm(cause) }
        return letting ?? restriction ?? passing ?? lingering
    }

    /// Somebody is let through at this moment.
    private var letting: LaneState? {
        guard case .energised(let direction, let until) = relay else { return nil }
        if let passing { return passing }
        // Whoever the relay was released for has passed: it only runs out.
        if waits[direction].isEmpty, hasSensor(direction) { return .passing(direction) }
        return .granted(direction, until: waits[direction].last?.until ?? until)
    }

    /// What keeps people out, or lets everybody through.
    private var restriction: LaneState? {
        if isUnderTest { return .closed }
        let isOpen = openDirection != nil
        if !faults.isEmpty, !isOpen { return .fault }
        return switch mode.mode {
        case .lockedDown: .lockedDown
        case .closed: .closed
        case .heldOpen: .heldOpen(mode.direction ?? rules.freePassage)
        case .freePassage: .freePassage(mode.direction ?? rules.freePassage)
        case .normal: nil
        }
    }

    private var passing: LaneState? {
        sensors.all.first { !$0.people.isEmpty }?.direction.map { .passing($0) }
    }

    /// What is left of what has just happened.
    private var lingering: LaneState {
        if let wait = waits.latest { return .granted(wait.direction, until: wait.until) }
        if lights.shown == .denied || lights.shown == .wait, let until = lights.ends { return .denied(until: until) }
        return talks > 0 ? .reading : .idle
    }

    /// The signal that says how the lane is.
    var permanentSignal: Signal {
        if isOnFire { return .fire }
        if alarmShown != nil { return .alarm }
        if openDirection != nil { return .free }
        if isUnderTest { return .closed }
        if !faults.isEmpty { return .fault }
        return switch mode.mode {
        case .lockedDown: .lockedDown
        case .closed: .closed
        case .normal, .heldOpen, .freePassage: resting
        }
    }

    private var resting: Signal {
        if talks > 0 { return .reading }
        return isDegraded || contacts.powerFail || contacts.isExitFaulty || contacts.fire.isFaulty ? .degraded : .ready
    }
}
