/// What an armed lane raises an alarm for. The raw value is what records keep (`StoredWord`).
public enum AlarmCause: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Somebody passes whom nobody has let through.
    case forcedEntry = "forced-passage"
    /// Somebody passes the other way on a grant.
    case wrongWay = "reverse-passage"
    /// A second person passes on one grant.
    case tailgating = "second-passage"
    /// The passage has been kept open too long.
    case held
    /// A relay is not de-energised: that way stands open, and nobody wants it to.
    case stuckOn = "relay-stuck-on"
    /// The housing of the gate is open.
    case tamper
    /// The housing of a reader is open.
    case readerTamper = "reader-tamper"

    public static func < (left: AlarmCause, right: AlarmCause) -> Bool {
        left.rawValue < right.rawValue
    }
}
