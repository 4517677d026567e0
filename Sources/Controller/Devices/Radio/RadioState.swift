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
