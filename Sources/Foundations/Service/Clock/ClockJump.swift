import Encoding

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
