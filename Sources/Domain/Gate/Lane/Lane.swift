import Credentials
import Vocabulary

/// One lane: relays, passages, modes, inputs, alarms, signals, cooldowns and faults as one pure state machine.
///
/// Inputs are values with the time at which they happened; each returns what is to be done. A grant has two halves,
/// because a durable journal record lies between the decision and the relay: `reserve` takes the lane, so that a second
/// reader of the same lane cannot be granted at the same time, and `open` or `giveBack` consumes the reservation.
///
/// What drives the relays is decided in one place, `energised`, which cannot name two directions. What is to be done about
/// relays and signals follows from how both were before an input and are after it (`acting`), so that no input can
/// forget to de-energise something.
///
/// By subject: `+Taps`, `+Commands`, `+Passages`, `+Inputs`, `+Modes`, `+Alarms`, `+Time`, `+State`, `+WalkTest`.
public struct Lane: Equatable, Sendable {
    var rules: LaneRules
    var cooldowns: Cooldowns
    /// The relay as grants want it; fire and modes stand beside it.
    var relay: Relay = .deenergised
    /// It is de-energised with the passage that it was energised for.
    var endsWithPassage = false
    /// A request to exit has energised it last.
    var isLettingOut = false
    /// A relay that is to be de-energised cannot be.
    var isStuckOn = false
    var indicators = IndicatorLayers(permanent: .ready)
    var faults: Set<LaneFault> = []
    /// The number of the reservation that holds the lane, while its record is on its way to the disk.
    var reserved: UInt64?
    /// The number of the latest reservation.
    var reservations: UInt64 = 0
    var waits = PassageWaits()
    var sensors = PassageSensors()
    var contacts = LaneContacts()
    var modeRequests = ModeRequests()
    var alarm = LaneAlarm()
    /// Somebody tries the lane.
    var test: LaneTest?
    /// At how many readers a phone is being talked to.
    var readings = 0
    /// Something is wrong that keeps nobody out.
    var isDegraded = false
    /// The gate starts: what is wanted of the lane is not known whole yet, and no mode holds it open.
    var isStarting = false
    /// The gate stops: nothing is energised any more.
    var isStopped = false
    /// The latest time that was seen: an input that is told late does not turn the clock back.
    var clock = Instant(milliseconds: 0)

    /// An idle lane.
    public init(rules: LaneRules) {
        self.rules = rules
        cooldowns = Cooldowns(afterSuccess: rules.cooldownAfterSuccess, afterFailure: rules.cooldownAfterFailure,
                              inBackground: rules.backgroundCooldown)
        indicators = IndicatorLayers(permanent: permanentSignal)
    }

    /// Changes the lane and answers what is to be done: what `body` says, then what follows from it for mode, relays and signals.
    mutating func acting(at time: Instant, _ body: (inout Lane, Instant) -> [LaneAction]) -> [LaneAction] {
        let now = max(time, clock)
        clock = now
        let before = self
        var actions = body(&self, now)
        actions += follow(before, at: now)
        actions += relayActions(since: before)
        if indicators.shown != before.indicators.shown { actions.append(.show(indicators.shown)) }
        return actions
    }

    /// What follows from a change, whatever it was.
    private mutating func follow(_ before: Lane, at now: Instant) -> [LaneAction] {
        var actions = followMode(before, at: now) + followFire(before, at: now)
        if !mayPulse { relay = .deenergised }
        actions += admitWaitingExit(before, at: now) + followAlarm(before, at: now)
        endTestIfOverridden()
        indicators.setPermanent(permanentSignal, since: now)
        return actions
    }

    /// The relay that is to be de-energised goes first: never two.
    private func relayActions(since before: Lane) -> [LaneAction] {
        guard energised != before.energised else { return [] }
        return (before.energised.map { [.setRelay($0, false)] } ?? []) + (energised.map { [.setRelay($0, true)] } ?? [])
    }

    // Relays ---------------------------------------------------------------------------------------

    /// The direction whose relay is to be energised; nil for none. Fire first, then grants, then a mode that holds the lane
    /// open; a test only where none of them does.
    public var energised: Direction? {
        if isStopped { return nil }
        return fireRelease ?? relay.direction ?? openDirection ?? test?.relay.direction
    }

    /// The relay as grants want it.
    public var relayState: Relay { relay }

    /// Whether people must get out, whatever becomes of the other relay: in a fire, and by a request to exit.
    public var mustOpen: Bool { fireRelease != nil || relay.isEnergised && isLettingOut }

    /// Whether the pulse of a grant may go on.
    private var mayPulse: Bool { fireRelease == nil && !isStopped }

    /// The direction that the lane's mode holds open; nil where it holds none, where the lane's lines are not to be trusted, and as long as
    /// the gate starts.
    var openDirection: Direction? {
        guard !faults.contains(.line), !isStarting else { return nil }
        return mode.direction
    }

    /// The direction in which everybody may pass at this moment.
    var everybodyPasses: Direction? { fireRelease ?? openDirection }

    /// Whether a relay that opens in `direction` lets people through in `wanted`: one relay serves both ways.
    func serves(_ direction: Direction, _ wanted: Direction) -> Bool {
        direction == wanted || !rules.hasRelayOut
    }

    // Views ----------------------------------------------------------------------------------------

    /// The signal people see.
    public var indicator: Signal { indicators.shown }

    /// The signal people see, and since when.
    public var shownSignal: ShownSignal { indicators.shownSignal }

    /// What keeps the lane out of service, in a stable order.
    public var standingFaults: [LaneFault] { faults.sorted() }

    /// Whether a fault keeps everybody out.
    var isOutOfService: Bool { faults.contains(where: \.closes) }

    /// Whether somebody is being granted.
    var isReserved: Bool { reserved != nil }

    /// Whether a journal that cannot be written keeps everybody out here.
    public var needsAudit: Bool {
        switch rules.auditOnFailure {
        case .deny: true
        case .allow: false
        }
    }

    // Faults and rules -----------------------------------------------------------------------------

    /// The faults of the lane are now exactly these. A pulse that is running ends as it would have.
    public mutating func setFaults(_ standing: Set<LaneFault>) -> [LaneAction] {
        acting(at: clock) { lane, _ in
            lane.faults = standing
            return []
        }
    }

    /// Whether something is wrong with the gate that keeps nobody out.
    public mutating func setDegraded(_ isDegraded: Bool) -> [LaneAction] {
        acting(at: clock) { lane, _ in
            lane.isDegraded = isDegraded
            return []
        }
    }

    /// The lane goes on by other rules: a running pulse, cooldowns and faults are untouched (a reload
    /// must not move a gate); new delays hold from the next run on.
    public mutating func adopt(_ rules: LaneRules) -> [LaneAction] {
        acting(at: clock) { lane, _ in
            lane.rules = rules
            lane.cooldowns = lane.cooldowns.adopting(afterSuccess: rules.cooldownAfterSuccess,
                                                     afterFailure: rules.cooldownAfterFailure, inBackground: rules.backgroundCooldown)
            return []
        }
    }
}
