import Credentials

/// One lane: relay, lights, cooldowns and faults as one pure state machine.
///
/// Inputs are values with the time at which they happened; each returns what is to be done to
/// the outputs. A grant has two halves, because a durable journal record lies between the
/// decision and the relay: `reserve` takes the lane, so that a second reader of the same lane
/// cannot be granted at the same time, and `open` or `release` ends the reservation.
public struct Lane: Equatable, Sendable {
    private let rules: LaneRules
    private var cooldowns: Cooldowns
    private var relay: Relay = .rest
    private var lights = LightLayers(permanent: .ready)
    private var faults: Set<LaneFault> = []
    private var reserved = false

    /// A lane at rest.
    public init(rules: LaneRules) {
        self.rules = rules
        cooldowns = Cooldowns(afterSuccess: rules.cooldownAfterSuccess, afterFailure: rules.cooldownAfterFailure)
    }

    /// The relay as this machine wants it.
    public var relayState: Relay { relay }

    /// The light people see.
    public var light: Light { lights.shown }

    /// What keeps the lane out of service, in a stable order.
    public var standingFaults: [LaneFault] { faults.sorted() }

    /// Whether a fault keeps everybody out.
    private var isClosed: Bool { faults.contains(where: \.closes) }

    /// Whether a journal that cannot be written keeps everybody out here.
    public var needsAudit: Bool {
        switch rules.auditOnFailure {
        case .deny: true
        case .allow: false
        }
    }

    /// The next instant at which `advance` has something to do.
    public var nextChange: Instant? {
        switch relay {
        case .rest: lights.ends
        case .energised(let until): min(until, lights.ends ?? until)
        }
    }

    /// What stands in the way of a grant over `carrier` at `now`.
    public func condition(for carrier: Carrier, at now: Instant) -> LaneCondition {
        if isClosed { return .outOfService }
        if reserved { return .busy }
        if let cooldown = cooldowns.standing(for: carrier, at: now) { return .resting(cooldown) }
        return .clear
    }

    /// Takes the lane for one grant over `carrier` if nothing stands in its way. Asking and taking
    /// are one step, so that of two readers of a lane only one is granted.
    public mutating func reserve(for carrier: Carrier, at now: Instant) -> LaneCondition {
        let condition = condition(for: carrier, at: now)
        switch condition {
        case .clear: reserved = true
        case .resting, .busy, .outOfService: break
        }
        return condition
    }

    /// The grant of the reservation stands: energises the relay and starts the cooldown at `now`.
    /// A fault that has appeared since the reservation wins: the relay stays at rest, and the
    /// answer is empty.
    public mutating func open(at now: Instant) -> [LaneAction] {
        reserved = false
        guard !isClosed else { return [] }
        relay = .energised(until: now + rules.pulse)
        cooldowns.recordSuccess(relay: now)
        lights.show(.granted, until: now + max(rules.pulse, rules.display))
        return [.setRelay(true), .show(lights.shown)]
    }

    /// The grant of the reservation does not stand (its record could not be made durable).
    public mutating func release() {
        reserved = false
    }

    /// The relay could not be driven. The grant is void: the relay is wanted at rest, so that a line
    /// that recovers a moment later does not open the gate to nobody.
    public mutating func abandon() -> [LaneAction] {
        reserved = false
        guard relay.isEnergised else { return [] }
        relay = .rest
        cooldowns.withdrawSuccess()
        return [.setRelay(false)] + changingLight { $0.endTemporary() }
    }

    /// A run over `carrier` was denied at `now`. Only a denial that counts as a failure starts the
    /// cooldown of T8; one by cooldown does not (T7, T8).
    public mutating func deny(over carrier: Carrier, countsAsFailure: Bool, at now: Instant) -> [LaneAction] {
        if countsAsFailure { cooldowns.recordFailure(over: carrier, at: now) }
        // Somebody may be walking through on an earlier grant: what they see stays as it is.
        guard !relay.isEnergised else { return [] }
        let ends = now + rules.display
        return changingLight { $0.show(.denied, until: ends) }
    }

    /// The faults of the lane are now exactly these. A pulse that is running ends as it would have.
    public mutating func setFaults(_ standing: Set<LaneFault>) -> [LaneAction] {
        faults = standing
        return changingLight { $0.setPermanent(standing.isEmpty ? .ready : .fault) }
    }

    /// Time has come to `now`: ends the pulse and the temporary light when they are over.
    public mutating func advance(to now: Instant) -> [LaneAction] {
        var actions: [LaneAction] = []
        if case .energised(let until) = relay, until <= now {
            relay = .rest
            actions.append(.setRelay(false))
        }
        return actions + changingLight { $0.advance(to: now) }
    }

    /// The lane with other rules: a running pulse, cooldowns and faults are untouched (a reload
    /// must not move a gate); new delays hold from the next run on.
    public func adopting(_ rules: LaneRules) -> Lane {
        var lane = Lane(rules: rules)
        lane.cooldowns = cooldowns.adopting(afterSuccess: rules.cooldownAfterSuccess,
                                            afterFailure: rules.cooldownAfterFailure)
        lane.relay = relay
        lane.lights = lights
        lane.faults = faults
        lane.reserved = reserved
        return lane
    }

    private mutating func changingLight(_ change: (inout LightLayers) -> Void) -> [LaneAction] {
        let before = lights.shown
        change(&lights)
        return lights.shown == before ? [] : [.show(lights.shown)]
    }
}
