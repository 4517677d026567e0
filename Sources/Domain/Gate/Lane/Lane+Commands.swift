import Credentials
import Vocabulary

/// What phones order beside passing (A1).
extension Lane {
    /// Takes the lane for a command over `carrier` that lets nobody through, if nothing stands in its way: neither a lockdown nor a fire, and
    /// of an order neither an operator nor the switch. It counts as no passage, so that no rest after a success stands in its way.
    public mutating func reserve(for action: CommandAction, over carrier: Carrier, at now: Instant) -> LaneReservation {
        let condition = condition(for: action, over: carrier, at: now)
        guard condition == .clear else { return LaneReservation(nothing: condition) }
        return hold(.in)
    }

    /// What stands in the way of such a command.
    public func condition(for action: CommandAction, over carrier: Carrier, at now: Instant) -> LaneCondition {
        if isUnderTest || isStopped { return .closed }
        if isOutOfService { return .outOfService }
        if !acceptsCommands || isOrder(action) && !acceptsOrders { return .closed }
        if isReserved { return .busy }
        return cooldowns.standingAfterFailure(over: carrier, at: now).map { .resting($0) } ?? .clear
    }

    private func isOrder(_ action: CommandAction) -> Bool {
        switch action {
        case .order: true
        case .pass, .passOut, .output, .recordOnly: false
        }
    }

    private var acceptsCommands: Bool {
        switch mode.mode {
        case .lockedDown, .closed: false
        case .normal, .heldOpen, .freePassage: !isOnFire
        }
    }

    /// Somebody whose word counts more has ordered nothing.
    private var acceptsOrders: Bool { modeRequests.operator == nil && !isSwitched }

    /// The order of the reservation stands. Something that has come up since wins: the answer is nil, and all is as it was.
    public mutating func order(_ reservation: consuming LaneReservation, _ order: CommandAction.Order, at now: Instant) -> [LaneAction]? {
        guard end(reservation) != nil, !isOutOfService, !isStopped, !isUnderTest, acceptsCommands, acceptsOrders else { return nil }
        return acting(at: now) { lane, now in
            lane.modeRequests.phone = ModeRequest(order, at: now)
            return []
        }
    }

    /// What a phone ordered before the gate was started again, or nil for what could not be done. It was recorded then.
    public mutating func restoreOrder(_ modeRequest: ModeRequest?, at now: Instant) -> [LaneAction] {
        acting(at: now) { lane, _ in
            lane.modeRequests.phone = modeRequest
            lane.endWhatPhonesHoldOpen(against: lane.modeRequests.schedule?.mode)
            return []
        }
    }
}

extension ModeRequest {
    /// What an order at `now` makes of a lane; nil where it ends one.
    init?(_ order: CommandAction.Order, at now: Instant) {
        switch order {
        case .holdOpen(let milliseconds): self.init(.heldOpen, until: now + milliseconds)
        case .lockDown(let milliseconds): self.init(.lockedDown, until: now + milliseconds)
        case .normal: return nil
        }
    }
}

/// What stands in the way of a grant on a lane.
public enum LaneCondition: Equatable, Sendable {
    /// Nothing does.
    case clear
    /// A minimum delay is running (T7, T8, T9).
    case resting(Cooldown)
    /// Somebody else is being granted at this moment.
    case busy
    /// Somebody else is being let through, at most until then.
    case occupied(until: Instant)
    /// The lane is closed or locked down, or is held open the other way.
    case closed
    /// The lane has a fault.
    case outOfService
}

/// A request for a lane that one tap holds while its record is on the way to the disk. Opening or giving it back
/// consumes it, so that no tap can open on what another one holds.
///
/// A failure of the relay voids it (`Lane.abandon`): a grant that met the failure comes to nothing, however late it comes.
public struct LaneReservation: ~Copyable, Sendable {
    /// What stood in the way. Only `clear` holds the lane.
    public let condition: LaneCondition
    /// Which way.
    let direction: Direction
    /// Tells one reservation of a lane from any other; 0 holds nothing.
    let number: UInt64

    /// One that holds nothing: something is in the way, or nobody wants the lane.
    public init(nothing condition: LaneCondition) {
        self.condition = condition
        direction = .in
        number = 0
    }

    init(_ direction: Direction, number: UInt64) {
        condition = .clear
        self.direction = direction
        self.number = number
    }
}
