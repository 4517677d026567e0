import Vocabulary

/// `[[radio]]`
public struct RadioSettings: Hashable, Sendable {
    /// Our own name for it. 1–32 letters, digits, `.`, `_`, `-`; no reader has it.
    public var name: String
    /// The lanes it serves, in the order in which phones are offered them; each is at one radio.
    public var lanes: [String]
    public var direction: Direction
    /// The adapter's own address in capitals; nil where the machine has one adapter.
    public var address: String?
    public var mode: RadioMode
    /// T4: whether a person may start a command in the app.
    public var manual: Bool
    /// The service that phones look for, in small letters; nil for that of the mode.
    public var serviceUUID: String?
    /// T6: how many phones may be connected at a time, 1–7.
    public var links: Int
    /// A conversation that takes longer is closed as `timeout`. Milliseconds.
    public var presentationDeadlineMilliseconds: Int
    /// T12: how often phones nearby are told. Milliseconds, 0 for never.
    public var reportIntervalMilliseconds: Int

    public init(name: String, lanes: [String], direction: Direction = .in, address: String? = nil, mode: RadioMode = .onTouch, manual: Bool = true,
                serviceUUID: String? = nil, links: Int = 3, presentationDeadlineMilliseconds: Int = 5000,
                reportIntervalMilliseconds: Int = 500) {
        self.name = name
        self.lanes = lanes
        self.direction = direction
        self.address = address
        self.mode = mode
        self.manual = manual
        self.serviceUUID = serviceUUID
        self.links = links
        self.presentationDeadlineMilliseconds = presentationDeadlineMilliseconds
        self.reportIntervalMilliseconds = reportIntervalMilliseconds
    }

    /// The service that phones look for.
    public var service: String { serviceUUID ?? mode.serviceUUID }
}

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
