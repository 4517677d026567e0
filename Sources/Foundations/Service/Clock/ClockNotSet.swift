import Encoding

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
