/// What a radio is good for at this moment. Everything but `ready` and, for a moment, `starting` is a fault of the radio.
/// It comes back by itself as soon as the cause is gone. Some causes wait for a person: an adapter must be named, switched on,
/// unblocked or another one, a refusal or an unknown strength that stays must be fixed.
public enum RadioState: Hashable, Sendable {
    /// The adapter was found; what phones look for is not on the air yet.
    case starting
    /// Phones find it and are served.
    case ready
    /// No connection to the system's D-Bus. Tried again at least once a second.
    case busDown(reason: String)
    /// Nobody has the name org.bluez.
    case serviceDown
    /// bluetoothd runs and has answered nothing for this long.
    case serviceSilent(milliseconds: Int64)
    /// No adapter fits the binding.
    case absent(reason: String)
    /// The binding does not say which one.
    case ambiguous(addresses: [String])
    /// The adapter is switched off.
    case off(address: String)
    /// The adapter may not send.
    case blocked(RadioBlock)
    /// The adapter or its driver cannot be what a phone connects to.
    case noPeripheralRole(address: String)
    /// bluetoothd did not take what a gate needs. Tried again once a second.
    case refused(error: String, text: String)
    /// Phones find it, but how strong it hears them cannot be known: in on-touch mode nobody is near. Measuring goes on.
    /// - Parameter reason: what was found, and what fixes it.
    case strengthUnknown(reason: String)

    /// True while phones are served.
    public var isInService: Bool { self == .ready }

    /// Stable, for operators to search for.
    public var code: String {
        switch self {
        case .starting: "radio-starting"
        case .ready: "radio-ready"
        case .busDown: "radio-bus-down"
        case .serviceDown: "radio-service-down"
        case .serviceSilent: "radio-service-silent"
        case .absent: "radio-absent"
        case .ambiguous: "radio-ambiguous"
        case .off: "radio-off"
        case .blocked(.soft): "radio-blocked"
        case .blocked(.hard): "radio-switched-off"
        case .noPeripheralRole: "radio-no-peripheral-role"
        case .refused: "radio-refused"
        case .strengthUnknown: "radio-strength-unknown"
        }
    }

    /// A sentence for the installer that names the remedy (T13).
    public var message: String {
        switch self {
        case .starting: "The radio is being put on the air."
        case .ready: "The radio is in service."
        case .busDown(let reason):
            "The system's D-Bus cannot be reached: \(reason) `systemctl start dbus.socket` starts it."
        case .serviceDown:
            "bluetoothd does not run. `systemctl enable --now bluetooth` starts it (package bluez); "
                + "`systemctl status bluetooth` says why it does not stay."
        case .serviceSilent(let milliseconds):
            "bluetoothd runs but has not answered for \(milliseconds / 1000) s. `systemctl restart bluetooth` fixes it."
        case .absent(let reason): reason
        case .ambiguous(let addresses):
            "The machine has several Bluetooth adapters: \(addresses.joined(separator: ", ")). Name one by `address`."
        case .off(let address):
            "The Bluetooth adapter \(address) is switched off. `bluetoothctl`, in it `select \(address)` and `power on`, "
                + "switches it on; AutoEnable=true in bluetoothd's settings keeps it so."
        case .blocked(.soft): "The Bluetooth adapter is blocked. `rfkill unblock bluetooth` lets it send."
        case .blocked(.hard):
            "The Bluetooth adapter is blocked by a switch or the firmware of the machine: `rfkill list bluetooth` shows it, "
                + "the switch or the firmware's settings fix it."
        case .noPeripheralRole(let address):
            "The Bluetooth adapter \(address) cannot be a Low Energy peripheral: `btmgmt info` must name le and advertising among "
                + "the supported settings, and bluetoothd must not run with ControllerMode=bredr. Another adapter fixes it."
        case .refused(let error, let text): Self.refusal(error, text)
        case .strengthUnknown(let reason):
            "Phones find the radio, but how strong it hears them cannot be known, so that nobody counts as near: \(reason) "
                + "`mode = \"classic\"` does without."
        }
    }

    /// A longer silence is no news.
    func isSameNews(as told: RadioState?) -> Bool {
        if case .serviceSilent = self, case .serviceSilent = told { return true }
        return self == told
    }

    private static func refusal(_ error: String, _ text: String) -> String {
        let said = text.isEmpty ? error : "\(text) (\(error))"
        return switch error {
        case "org.freedesktop.DBus.Error.AccessDenied":
            "D-Bus does not let the gate talk to bluetoothd: \(said). The policy in dbus-1/system.d/bluetooth.conf must allow it; "
                + "`apt install --reinstall -o Dpkg::Options::=--force-confmiss -o Dpkg::Options::=--force-confnew bluez` brings Debian's."
        case "org.bluez.Error.NotPermitted":
            "The adapter has no room for another advertisement: \(said). Stop the program that advertises beside the gate, or `systemctl restart bluetooth`."
        default:
            "bluetoothd does not put the radio on the air: \(said). `systemctl restart bluetooth` may fix it; "
                + "`journalctl -u bluetooth` says why."
        }
    }
}

/// What keeps an adapter from sending (rfkill).
public enum RadioBlock: Hashable, Sendable {
    /// Somebody asked the kernel for it.
    case soft
    /// A switch or the firmware of the machine.
    case hard
}

/// Who is served by the radios. Every call comes on the radios' one thread, one at a time, and must return soon: all phones
/// wait for it. Whatever it calls of `Radios` takes effect after it has returned.
public protocol RadioClient: AnyObject, Sendable {
    /// What that radio is good for now: once at the start, and at every change.
    func radio(_ name: String, is state: RadioState)

    /// What is wrong with the settings of bluetoothd; empty when nothing is, or where nobody starts bluetoothd through systemd. After
    /// every start of bluetoothd.
    func settings(_ findings: [BluetoothFinding])

    /// A phone has connected. Always before anything else about a link.
    func opened(_ link: RadioLink)

    /// The phone has gone, or the adapter, or bluetoothd. The last that is told about a link; answers still owed are given.
    func closed(_ link: RadioLink)

    /// The phone has written a value, of at most `Radios.longestValue` bytes, and waits for the answer.
    func wrote(_ value: [UInt8], on link: RadioLink, answer: WriteAnswer)

    /// The phone reads. Asked once for each reading from the beginning; the room gives out the parts of a long value.
    func read(on link: RadioLink) -> ReadResult

    /// One sample of a link that is measured (T5). Nil: the adapter does not know it or cannot be asked.
    func strength(_ dBm: Int8?, of link: RadioLink)

    /// The monotonic milliseconds at which `isDue` is wanted; nil for never. Asked before every wait.
    func nextDue() -> Int64?

    /// That time has come.
    func isDue(at now: Int64)
}

/// What a phone that reads is given.
public enum ReadResult: Hashable, Sendable {
    /// The whole value; of a long one the phone asks for the rest by itself.
    case value([UInt8])
    /// An error of the application (Core Specification 5.3, vol. 3, part F, 3.4.1.1): 0x80 to 0x9F; anything else becomes 0x80.
    case refused(UInt8)
}

/// One connection of one phone to one radio. The next connection of the same phone is another link.
public struct RadioLink: Hashable, Sendable {
    /// The radio's name.
    public let radio: String
    /// Never used again while the program runs.
    public let id: UInt64

    public init(radio: String, id: UInt64) {
        self.radio = radio
        self.id = id
    }
}
