import Gate

extension LaneRunner {
    /// What the schedules of the site want at this time; nil for nothing. Does not wait for lines.
    func setMode(bySchedule modeRequest: ModeRequest?, at now: Instant) {
        post { $0.setMode(bySchedule: modeRequest, at: now) }
    }

    /// What an operator wants; nil, or `normal`, ends what an operator wanted before.
    func setMode(_ modeRequest: ModeRequest?, by requester: Requester, at now: Instant) {
        post { $0.setMode(modeRequest, by: requester, at: now) }
    }

    /// What an operator wanted before the gate was started again.
    func restore(_ modeRequest: ModeRequest?, isArmed: Bool, at now: Instant) {
        post { $0.restore(modeRequest, isArmed: isArmed, at: now) }
    }

    /// All that is wanted of the lane is known: what plan, operators, phones and contacts say. Does not wait for lines.
    func begin(at now: Instant) {
        post { $0.begin(at: now) }
    }

    /// Lets one person through, as an operator asks; nil leaves the direction to the lane.
    func release(_ direction: Direction?, by requester: Requester, at now: Instant) throws(LaneRefusal) {
        var refusal: LaneRefusal?
        post { lane in
            do throws(LaneRefusal) {
                return try lane.release(direction, by: requester, at: now)
            } catch {
                refusal = error
                return []
            }
        }
        if let refusal { throw refusal }
    }

    /// Whether the lane raises alarms.
    func setArmed(_ isArmed: Bool, by requester: Requester, at now: Instant) {
        post { $0.setArmed(isArmed, by: requester, at: now) }
    }
}
