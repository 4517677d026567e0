import Vocabulary

/// `[[reader]]`
public struct ReaderSettings: Hashable, Sendable {
    /// Our own name for it. 1–32 letters, digits, `.`, `_`, `-`.
    public var name: String
    /// The lane it serves.
    public var lane: String
    public var direction: Direction
    /// Which device it is (T3).
    public var device: ReaderDeviceSettings
    /// What there is to bring it back (O5).
    public var reset = ReaderResetSettings()
    /// A presentation that takes longer is closed as `timeout`. Milliseconds.
    public var presentationDeadlineMilliseconds: Int
    /// A PC/SC reader that does not come back for this long is a reader fault. Milliseconds.
    public var stuckAfterMilliseconds: Int

    public init(name: String, lane: String, direction: Direction, device: ReaderDeviceSettings, presentationDeadlineMilliseconds: Int,
                stuckAfterMilliseconds: Int) {
        self.name = name
        self.lane = lane
        self.direction = direction
        self.device = device
        self.presentationDeadlineMilliseconds = presentationDeadlineMilliseconds
        self.stuckAfterMilliseconds = stuckAfterMilliseconds
    }
}

/// `[reader.reset]`: what there is to bring a reader back that does not answer (O5).
public struct ReaderResetSettings: Hashable, Sendable {
    /// The line that its reset pin is wired to.
    public var line: OutputSettings?
    /// Whether the USB port that it hangs on may be switched off and on.
    public var usb: Bool

    public init(line: OutputSettings? = nil, usb: Bool = false) {
        self.line = line
        self.usb = usb
    }
}

/// Which device a reader is, by what drives it (T3).
public enum ReaderDeviceSettings: Hashable, Sendable {
    /// pcscd: found among its readers; `nameContains` narrows the match to those whose name contains it.
    case pcsc(ReaderMatchSettings, nameContains: String?)
    /// A PN532 chip.
    case pn532(ChipSettings)

    /// What drives it.
    public var type: ReaderType {
        switch self {
        case .pcsc: .pcsc
        case .pn532: .pn532
        }
    }
}

/// What drives a reader.
public enum ReaderType: String, Sendable, CaseIterable {
    /// pcscd: any CCID reader.
    case pcsc
    /// A PN532 chip, by a program of its own (`tapstile-nfc`).
    case pn532
}

/// `[reader.match]`: exactly one of three ways to find a PC/SC reader, never its index (T3).
public enum ReaderMatchSettings: Hashable, Sendable {
    /// The name PC/SC shows.
    case name(String)
    /// The device's serial number.
    case serial(String)
    /// Where it is plugged in: the kernel's USB path (`1-1.2`) or the PC/SC channel.
    case port(String)
}
