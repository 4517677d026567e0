import Vocabulary

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
        if indicators.shown == .denied || indicators.shown == .wait, let until = indicators.ends { return .denied(until: until) }
        return readings > 0 ? .reading : .idle
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
        if readings > 0 { return .reading }
        return isDegraded || contacts.powerFail || contacts.isExitFaulty || contacts.fire.isFaulty ? .degraded : .ready
    }
}

/// What a lane is at one moment, for people who look at it. Of several that are true, the first of this list is told.
public enum LaneState: Hashable, Sendable {
    /// The fire alarm has overridden everything; the relay is held in that direction, or left alone where the installer
    /// wants that. No state among the eleven: a condition that covers them all.
    case fire(Direction?)
    /// Something is wrong that people must look at; the lane goes on granting.
    case alarm(AlarmCause)
    /// Somebody who was let through is in the passage.
    case passing(Direction)
    /// Somebody was let through and has not passed yet.
    case granted(Direction, until: Instant)
    /// A fault keeps everybody out.
    case fault
    /// Nobody passes by any credential.
    case lockedDown
    /// Taps are refused: out of hours.
    case closed
    /// The relay is held energised in that direction by somebody's request.
    case heldOpen(Direction)
    /// Everybody may pass in that direction.
    case freePassage(Direction)
    /// A refusal is being shown.
    case denied(until: Instant)
    /// A phone is being talked to.
    case reading
    /// The lane waits for a phone.
    case idle

    /// The stable word, for status and events.
    public var code: String {
        switch self {
        case .fire: "fire"
        case .alarm: "alarm"
        case .passing: "passing"
        case .granted: "granted"
        case .fault: "fault"
        case .lockedDown: "locked-down"
        case .closed: "closed"
        case .heldOpen: "held-open"
        case .freePassage: "free-passage"
        case .denied: "denied"
        case .reading: "reading"
        case .idle: "idle"
        }
    }
}
