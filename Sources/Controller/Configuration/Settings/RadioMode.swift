/// How phones open over a radio (T4). Phones tell the modes apart by the service that is advertised.
public enum RadioMode: String, Hashable, Sendable, CaseIterable {
    /// Phones that are near, by themselves or by hand.
    case onTouch = "on-touch"
    /// Phones whose person starts it in the app, from wherever the radio reaches.
    case classic

    /// The service that phones look for, where the installer names none.
    public var serviceUUID: String {
        switch self {
        case .onTouch: "00005301-0010-002a-426c-756549442a00"
        case .classic: "00005301-0000-002a-426c-756549442a00"
        }
    }
}
