import Encoding
import Gate
import Lines
import Storage
import Threads
import Vocabulary

/// The state that survives a restart: who is inside, and small values such as what operators asked of lanes. What changes here is
/// answered as an effect, which belongs into the record that tells it.
///
/// Any thread may call. Each lock guards one value. `restate` takes `values` under the lock of `passback`; no other two are held together.
package final class GateState: Sendable {
    /// Who is where.
    package let passback: PassbackRegister
    private let values: Mutex<[StateKey: CBOR]>
    /// When what operators asked of lanes is over, in monotonic time: no clock that is set moves it.
    let ends = Mutex<[String: Instant]>([:])
    /// The lines that operators have switched on.
    package let switchedOn = Mutex<Set<LineName>>([])
    /// What the journal had lost when it was last asked.
    private let losses = Mutex(Losses(setAside: nil, lost: 0))

    private struct Losses: Equatable {
        let setAside: String?
        let lost: Int
    }

    /// The state that a journal's records have led to.
    package init(_ state: JournalState, passback: PassbackRegister) {
        self.passback = passback
        values = Mutex(state.values)
    }

    /// The value, if there is one.
    subscript(key: StateKey) -> CBOR? { values.withLock { $0[key] } }

    /// From now on the value holds; nil: there is none.
    package func set(_ key: StateKey, _ value: CBOR?) -> StateEffect {
        values.withLock { $0[key] = value }
        return value.map { .set(key, $0) } ?? .clear(key)
    }

    /// What was lost so far is known.
    package func remember(_ status: JournalStatus) {
        losses.withLock { $0 = Losses(setAside: status.setAside?.name, lost: status.lost) }
    }

    /// Whether the journal has lost records, and with them what they changed, since it was last asked.
    package func hasLost(_ status: JournalStatus) -> Bool {
        let now = Losses(setAside: status.setAside?.name, lost: status.lost)
        return losses.withLock { losses in
            defer { losses = now }
            return losses != now
        }
    }

    /// What one record changes at the most where all is stated anew: a full gate takes many, and others come in between.
    private static let piece = 512

    /// States all of it anew, in a journal that has forgotten it. What changes meanwhile is written after.
    package func restate(_ record: ([StateEffect]) -> Void) {
        passback.restate { people in
            let all = [.forgotten] + values.withLock { $0 }.map { .set($0.key, $0.value) } + people
            for start in stride(from: 0, to: all.count, by: Self.piece) { record(Array(all[start..<min(start + Self.piece, all.count)])) }
        }
    }
}

extension GateState {
    /// What an operator has asked of the lane.
    package func order(ofLane lane: String) -> LaneOrder? { self[StateKey(.laneMode, lane)].flatMap { LaneOrder($0) } }

    /// From now on that is asked of the lane; nil: nothing.
    package func set(_ order: LaneOrder?, ofLane lane: String) -> StateEffect { set(StateKey(.laneMode, lane), order?.cbor) }

    /// Whether the lane raises alarms, as an operator wanted it; it does where nobody did.
    package func isArmed(lane: String) -> Bool { self[StateKey(.armed, lane)]?.bool ?? true }

    /// From now on the lane raises alarms, or does not.
    package func set(armed: Bool, lane: String) -> StateEffect { set(StateKey(.armed, lane), armed ? nil : CBOR(false)) }

    /// When what an operator asked of the lane is over; nil where it is not, or nobody knows when.
    package func end(ofLane lane: String) -> Instant? { ends.withLock { $0[lane] } }

    /// From now on it is over then.
    package func setEnd(_ end: Instant?, ofLane lane: String) { ends.withLock { $0[lane] = end } }

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
    package static func phones(ofLane lane: String) -> String { "\(lane)/phone" }

    /// What a phone has ordered is over, if anything is.
    /// - Parameter mode: what somebody else has made of the lane; nil: he ends it whatever that is.
    package func endPhonesOrder(ofLane lane: String, against mode: LaneMode? = nil) -> [StateEffect] {
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
