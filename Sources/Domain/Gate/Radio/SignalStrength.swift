/// How strong the gate hears a phone (RSSI), as it measured it itself on the live link (T5).
///
/// In order of strength: what is not known is weaker than all that is.
public enum SignalStrength: Hashable, Comparable, Sendable {
    /// Measured, in dBm.
    case dBm(Int)
    /// Not measurable, or not what a radio can measure. Never near.
    case unknown

    /// What radios report of an LE link: −127 to +20 dBm; 127 is "not available" (Bluetooth Core 5.4, Vol 4 Part E, 7.5.4).
    public static let measurable = -127...20

    /// What the controller reported: all that no radio can measure is unknown, 127 among it.
    public init(reported dBm: Int?) {
        self = dBm.map { Self.measurable.contains($0) ? .dBm($0) : .unknown } ?? .unknown
    }

    /// Whether it reaches `level` dBm.
    func reaches(_ level: Int) -> Bool {
        switch self {
        case .dBm(let strength): Self.measurable.contains(strength) && strength >= level
        case .unknown: false
        }
    }

    public static func < (left: SignalStrength, right: SignalStrength) -> Bool {
        switch (left, right) {
        case (.unknown, .dBm): true
        case (_, .unknown): false
        case (.dBm(let left), .dBm(let right)): left < right
        }
    }
}
