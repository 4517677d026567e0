import Encoding

/// Why nobody vouches for the wall clock.
public enum ClockDoubt: Hashable, Sendable {
    /// It stands before a time that this gate has already seen: it is wrong now, or it was far ahead then.
    /// Milliseconds since 1970: the machine's own time, and the floor.
    case behindFloor(machine: Int64, floor: Int64)
    /// Nothing has synchronised it since the machine started, and no battery carried the time over.
    case notSynchronised
    /// It has run on by itself for longer than `ClockPolicy.holdoverLimitSeconds`.
    case holdoverOver(ageSeconds: Int64)

    /// Stable code.
    public var code: String {
        switch self {
        case .behindFloor: "clock-behind-floor"
        case .notSynchronised: "clock-not-synchronised"
        case .holdoverOver: "clock-holdover-over"
        }
    }

    /// A sentence for people that names the remedy.
    public var message: String {
        switch self {
        case .behindFloor(let machine, let floor):
            "The machine's clock says \(UTCText.make(milliseconds: machine)), this gate has already seen \(UTCText.make(milliseconds: floor)). "
                + "Set the clock. If it is right and what the gate has seen was wrong: sudo tapstile clock reset-floor."
        case .notSynchronised:
            "Nothing has synchronised the clock since the machine started. See timedatectl, or vouch for it: [clock] source = \"installer\"."
        case .holdoverOver(let age):
            "The clock was synchronised \(age / 86400) days ago, longer than holdover-days believes it. See timedatectl."
        }
    }
}
