import Encoding

/// Why somebody's word for the machine's present time is not taken.
public enum ClockNotConfirmed: Error, Hashable, Sendable {
    /// The machine's clock has jumped: whoever may open lanes must not choose the time, too.
    case jumped(ClockJump)
    /// Nobody vouches for the machine's clock, so that only root can.
    case notVouchedFor
    /// It stands before a time that this gate has already seen.
    case behindFloor(ClockDoubt)

    /// Stable code.
    public var code: String {
        switch self {
        case .jumped(let jump): jump.code
        case .notVouchedFor: "clock-not-vouched-for"
        case .behindFloor(let doubt): doubt.code
        }
    }

    /// A sentence for people that names the remedy.
    public var message: String {
        switch self {
        case .jumped(let jump): "Only root may confirm this. \(jump.message)"
        case .notVouchedFor: "Nobody vouches for the machine's clock. See timedatectl; only root may confirm it as it is: sudo tapstile clock confirm."
        case .behindFloor(let doubt): doubt.message
        }
    }
}

/// The machine's clock stands before the day this program was built: it is wrong, and nothing may be
/// measured by it.
public struct ClockNotSet: Error, Hashable, Sendable {
    /// What the machine says, milliseconds since 1970.
    public let machine: Int64

    /// Stable code.
    public var code: String { "clock-not-set" }
    /// A sentence for people that names the remedy.
    public var message: String {
        "The machine's clock says \(UTCText.make(milliseconds: machine)), which is before this program was built. "
            + "Set it first (sudo timedatectl set-time), then try again."
    }
}

/// The machine's clock is where it cannot be by what was believed of it before: it is not taken.
public struct ClockJump: Hashable, Sendable {
    /// What the machine says, milliseconds since 1970.
    public let machine: Int64
    /// The time that the gate goes by instead, milliseconds since 1970.
    public let estimate: Int64

    public init(machine: Int64, estimate: Int64) {
        self.machine = machine
        self.estimate = estimate
    }

    /// Stable code.
    public var code: String { "clock-jump" }
    /// A sentence for people that names the remedy.
    public var message: String {
        "The machine's clock says \(UTCText.make(milliseconds: machine)), and no oscillator runs that wrong: the gate goes on by its own "
            + "estimate, \(UTCText.make(milliseconds: estimate)). Find out who set the clock (timedatectl, the time server). "
            + "If the machine is right: sudo tapstile clock confirm."
    }
}

/// Why nobody vouches for the wall clock.
public enum ClockDoubt: Error, Hashable, Sendable {
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
