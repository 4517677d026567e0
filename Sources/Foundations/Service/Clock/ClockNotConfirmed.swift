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
