import Credentials
import Gate
import Vocabulary

/// One thing that happens to a lane in the model, a while after the one before it.
public struct LaneStep: Sendable {
    /// What happens.
    public enum Event: Sendable {
        /// Nothing but time.
        case nothing
        case reserve(Direction, Carrier, credential: UInt8)
        /// The grant of the reservation goes on; its relay works or not.
        case open(Rest, drives: Bool)
        case giveBack
        /// The same of a reservation that a failing relay has voided: its record came late.
        case openVoided
        case giveBackVoided
        /// A relay line fails.
        case abandon
        case deny(Carrier, countsAsFailure: Bool, isWait: Bool)
        case input(InputKind, InputState, isFound: Bool)
        case schedule(ModeRequest?)
        case operate(ModeRequest?, lasts: Int64?)
        /// A phone orders something; nil: a command that changes nothing of the lane.
        case command(CommandAction.Order?, Carrier)
        case release(Direction?)
        case arm(Bool)
        case faults(Set<LaneFault>)
        /// A relay that is to be de-energised is not.
        case stuckOn(Bool)
        case degraded(Bool)
        case read(Bool)
        case adopt(LaneRules)
        case beginTest
        case testRelay(Direction, milliseconds: Int64)
        case deenergiseTestedRelay
        case endTest
    }

    /// Whether the phone of a grant is not served over BLE for a while.
    public enum Rest: Sendable {
        case none, foreground, background
    }

    /// Milliseconds since the step before.
    public var delay: Int64
    /// Whether the timekeeper comes late: what time ends is ended only now.
    public var isLate: Bool
    public var event: Event
}

extension LaneStep: CustomStringConvertible {
    public var description: String { "+\(delay) ms\(isLate ? " (late)" : ""): \(event)" }
}
