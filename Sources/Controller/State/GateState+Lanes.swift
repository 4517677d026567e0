import Encoding
import Gate
import Storage

extension GateState {
    /// What an operator has asked of the lane.
    func order(ofLane lane: String) -> LaneOrder? { self[StateKey(.laneMode, lane)].flatMap { LaneOrder($0) } }

    /// From now on that is asked of the lane; nil: nothing.
    func set(_ order: LaneOrder?, ofLane lane: String) -> StateEffect { set(StateKey(.laneMode, lane), order?.cbor) }

    /// Whether the lane raises alarms, as an operator wanted it; it does where nobody did.
    func isArmed(lane: String) -> Bool { self[StateKey(.armed, lane)]?.bool ?? true }

    /// From now on the lane raises alarms, or does not.
    func set(armed: Bool, lane: String) -> StateEffect { set(StateKey(.armed, lane), armed ? nil : CBOR(false)) }

    /// When what an operator asked of the lane is over; nil where it is not, or nobody knows when.
    func end(ofLane lane: String) -> Instant? { ends.withLock { $0[lane] } }

    /// From now on it is over then.
    func setEnd(_ end: Instant?, ofLane lane: String) { ends.withLock { $0[lane] = end } }

    /// The time that an operator had given has come: nothing is asked of the lane any more.
    func endOrder(ofLane lane: String, at now: Instant) -> [StateEffect] {
        let isOver = ends.withLock { ends in
            guard let end = ends[lane], end <= now else { return false }
            ends[lane] = nil
            return true
        }
        return isOver ? [set(nil, ofLane: lane)] : []
    }

    /// Where what a phone has ordered is kept: beside what an operator has. No lane has such a name.
    static func phones(ofLane lane: String) -> String { "\(lane)/phone" }

    /// What a phone has ordered is over, if anything is.
    /// - Parameter mode: what somebody else has made of the lane; nil: he ends it whatever that is.
    func endPhonesOrder(ofLane lane: String, against mode: LaneMode? = nil) -> [StateEffect] {
        let slot = Self.phones(ofLane: lane)
        guard let order = order(ofLane: slot) else { return [] }
        switch mode {
        case nil, .lockedDown: break
        case .closed: guard order.mode.opens else { return [] }
        case .normal, .heldOpen, .freePassage: return []
        }
        setEnd(nil, ofLane: slot)
        return [set(nil, ofLane: slot)]
    }
}
