/// How a gate runs commands (T4).
public enum GateMode: UInt8, Sendable, Hashable, CaseIterable {
    /// Presenting the phone is enough.
    case onTouch = 0
    /// Commands are started by hand.
    case classic = 1
}
