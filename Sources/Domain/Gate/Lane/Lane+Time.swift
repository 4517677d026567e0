import Vocabulary

extension Lane {
    /// The next instant at which `advance` has something to do.
    public var nextChange: Instant? {
        [relay.until, test?.relay.until, indicators.ends, waits.ends, nextHeld, modeRequests.operator?.until, modeRequests.phone?.until, alarm.raised?.until,
         contacts.exitNotBefore].compactMap(\.self).min()
    }

    /// Time has come to `now`: ends the pulse, the wait for a passage, an operator's request, the alarm and the temporary signal
    /// when they are over.
    public mutating func advance(to now: Instant) -> [LaneAction] {
        acting(at: now) { lane, now in
            if let until = lane.relay.until, until <= now { lane.relay = .deenergised }
            lane.advanceTest(to: now)
            lane.expireAlarm(at: now)
            // Before a request that holds the lane open ends: nothing was held open against anybody's will until now.
            let held = lane.reportHeld(at: now)
            let over = lane.expireRequest(at: now)
            lane.indicators.advance(to: now)
            return held + over + lane.expireWaits(at: now)
        }
    }

    /// The gate stops: nothing is energised any more, whoever wants it, and nobody is waited for.
    public mutating func stop() -> [LaneAction] {
        acting(at: clock) { lane, now in
            lane.isStopped = true
            lane.reserved = nil
            lane.relay = .deenergised
            lane.indicators.endTemporary()
            // Whoever is in the passage has been let through and is on the way.
            let passed = Direction.allCases.flatMap { lane.endPassage($0, at: now) }
            return passed + Direction.allCases.flatMap { lane.waits.removeAll($0) }.flatMap { lane.voided($0) }
        }
    }
}

/// What a lane wants done. The caller does it after letting go of the lane.
public enum LaneAction: Hashable, Sendable {
    /// Energise the relay of a direction (`true`) or de-energise it (`false`).
    case setRelay(Direction, Bool)
    /// Show this indicator and no other.
    case show(Signal)
    /// Write this down.
    case record(LaneRecord)
    /// The person of that grant has passed: anti-passback commits.
    case passed(GrantIdentity, Direction)
    /// The person of that grant has not passed: anti-passback forgets the grant.
    case notPassed(GrantIdentity, Direction)
}
