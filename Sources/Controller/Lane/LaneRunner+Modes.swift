import Gate

extension LaneRunner {
    /// What the schedules of the site want at this time; nil for nothing. Does not wait for lines.
    func setMode(bySchedule wish: ModeWish?, at now: Instant) {
        post { $0.setMode(bySchedule: wish, at: now) }
    }

    /// What an operator wants; nil, or `normal`, ends what an operator wanted before.
    func setMode(_ wish: ModeWish?, by asker: Asker, at now: Instant) {
        post { $0.setMode(wish, by: asker, at: now) }
    }

    /// What an operator wanted before the gate was started again.
    func restore(_ wish: ModeWish?, isArmed: Bool, at now: Instant) {
        post { $0.restore(wish, isArmed: isArmed, at: now) }
    }

    /// All that is wanted of the lane is known: what plan, operators, phones and contacts say. Does not wait for lines.
    func begin(at now: Instant) {
        post { $0.begin(at: now) }
    }

    /// Lets one person through, as an operator asks; nil leaves the direction to the lane.
    func release(_ direction: Direction?, by asker: Asker, at now: Instant) throws(LaneRefusal) {
        var refusal: LaneRefusal?
        post { lane in
            do throws(LaneRefusal) {
                return try lane.release(direction, by: asker, at: now)
            } catch {
                refusal = error
                return []
            }
        }
        if let refusal { throw refusal }
    }

    /// Whether the lane raises alarms.
    func setArmed(_ isArmed: Bool, by asker: Asker, at now: Instant) {
        post { $0.setArmed(isArmed, by: asker, at: now) }
    }
}
