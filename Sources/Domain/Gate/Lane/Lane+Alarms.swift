extension Lane {
    /// Whether the lane raises alarms.
    public var isArmed: Bool { alarm.isArmed }

    /// The alarm that the lane raises at this moment: the latest, and for as long as its cause lasts.
    var alarmShown: AlarmCause? {
        guard alarm.isArmed else { return nil }
        return alarm.raised?.cause ?? lastingCauses.min()
    }

    /// The causes that last.
    private var lastingCauses: Set<AlarmCause> {
        var causes: Set<AlarmCause> = []
        if contacts.tamper { causes.insert(.tamper) }
        if contacts.readerTamper { causes.insert(.readerTamper) }
        if sensors.all.contains(where: \.isHeld) { causes.insert(.held) }
        if isStuckOn { causes.insert(.stuckOn) }
        return causes
    }

    /// Whether a relay that is to be de-energised cannot be.
    public mutating func setStuckOn(_ isStuckOn: Bool) -> [LaneAction] {
        guard isStuckOn != self.isStuckOn else { return [] }
        return acting(at: clock) { lane, _ in
            lane.isStuckOn = isStuckOn
            return []
        }
    }

    /// Whether the lane raises alarms.
    public mutating func setArmed(_ isArmed: Bool, by requester: Requester, at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, _ in
            guard lane.alarm.isArmed != isArmed else { return [] }
            lane.alarm.isArmed = isArmed
            lane.alarm.raised = nil
            return [.record(.armed(isArmed, requester: requester))]
        }
    }

    /// Something happened for which an armed lane raises an alarm.
    mutating func raise(_ cause: AlarmCause, at now: Instant) -> [LaneAction] {
        guard alarm.isArmed else { return [] }
        alarm.raised = LaneAlarm.Raised(cause: cause, until: now + rules.alarmTime)
        return [.record(.alarm(cause))]
    }

    /// What follows for the alarm: causes that last and are new begin one, and the end of the last one is told.
    mutating func followAlarm(_ before: Lane, at now: Instant) -> [LaneAction] {
        guard alarm.isArmed || before.alarm.isArmed else { return [] }
        let known = before.alarm.isArmed ? before.lastingCauses : []
        // `held` is raised where it is found.
        let fresh = lastingCauses.subtracting(known).subtracting(before.alarm.isArmed ? [.held] : [])
        let actions = fresh.sorted().flatMap { raise($0, at: now) }
        return before.alarmShown != nil && alarmShown == nil ? actions + [.record(.alarmOver)] : actions
    }

    /// Takes the alarm away once its time is over; what lasts is shown on.
    mutating func expireAlarm(at now: Instant) {
        if let until = alarm.raised?.until, until <= now { alarm.raised = nil }
    }
}

/// Whether a lane raises alarms, and the one that it raises.
struct LaneAlarm: Equatable, Sendable {
    /// What began, and until when it is shown at least.
    struct Raised: Equatable, Sendable {
        let cause: AlarmCause
        let until: Instant
    }

    /// Alarms are raised; otherwise what would be one is recorded only.
    var isArmed = true
    /// The latest.
    var raised: Raised?
}
