import Credentials
import Gate
import Vocabulary

extension LaneRunner {
    /// Asks what stands in the way of a grant.
    /// - Parameter credential: what was proved, where a cooldown of its own may stand in its way (T7, T9).
    package func condition(_ direction: Direction, for carrier: Carrier, credential: [UInt8]? = nil, at now: Instant) -> LaneCondition {
        ask { $0.condition(direction, for: carrier, credential: credential, at: now) }
    }

    /// Takes the lane for one grant if nothing stands in its way; answers what does.
    package func reserve(_ direction: Direction, for carrier: Carrier, credential: [UInt8]? = nil, at now: Instant) -> LaneReservation {
        var reservation = LaneReservation(nothing: .busy)
        change { lane in
            reservation = lane.reserve(direction, for: carrier, credential: credential, at: now)
            return []
        }
        return reservation
    }

    /// The same for a command that lets nobody through.
    package func reserve(for action: CommandAction, over carrier: Carrier, at now: Instant) -> LaneReservation {
        var reservation = LaneReservation(nothing: .busy)
        change { lane in
            reservation = lane.reserve(for: action, over: carrier, at: now)
            return []
        }
        return reservation
    }

    /// A phone orders a mode of a reserved lane. False when something that came up kept all as it was, or the relay could not be driven: then
    /// the order is void, so that a line that recovers does not open the lane to whoever happens to stand there.
    package func order(_ reservation: consuming LaneReservation, _ order: CommandAction.Order, at now: Instant) -> Bool {
        var held: LaneReservation? = reservation
        var isOrdered = false
        let relayWorks = settle(mayEnergise: true) { lane in
            guard let reservation = held.take() else { return [] }
            let actions = lane.order(reservation, order, at: now)
            isOrdered = actions != nil
            return actions ?? []
        }
        if isOrdered, !relayWorks { restoreOrder(nil, at: now) }
        return isOrdered && relayWorks
    }

    /// What a phone had ordered before the gate was started again; nil for nothing. Does not wait for lines.
    package func restoreOrder(_ modeRequest: ModeRequest?, at now: Instant) {
        post { $0.restoreOrder(modeRequest, at: now) }
    }

    /// Gives the lane back without a grant.
    package func giveBack(_ reservation: consuming LaneReservation) {
        var held: LaneReservation? = reservation
        change { lane in
            if let reservation = held.take() { lane.giveBack(reservation) }
            return []
        }
    }

    /// Lets a person through a reserved lane. False when a fault kept the relay de-energised.
    /// - Parameter phone: which is not served over BLE for a while after this (T7, T9).
    package func open(_ reservation: consuming LaneReservation, for grant: GrantIdentity, resting phone: PhoneCooldown? = nil, at now: Instant) -> Bool {
        var held: LaneReservation? = reservation
        var opens = false
        let relayWorks = settle(mayEnergise: true) { lane in
            guard let reservation = held.take() else { return [] }
            let actions = lane.open(reservation, for: grant, resting: phone, at: now)
            opens = actions != nil
            return actions ?? []
        }
        return opens && relayWorks
    }

    /// Shows a denial and starts the cooldown it deserves. Waits for no line: one thread serves all radios.
    package func deny(_ decision: Decision, over carrier: Carrier, _ assurance: Assurance = .proven, at now: Instant) {
        post { $0.deny(over: carrier, countsAsFailure: decision.countsAsFailure(over: carrier, assurance),
                       isWait: decision.retryAfter != nil || decision.reason == .busy, at: now) }
    }
}
