/// What somebody on the bus answers instead of what was asked for.
struct BusFailure: Hashable, Sendable {
    /// `org.bluez.Error.Failed`.
    let name: String
    let text: String

    static let unknownMethod = BusFailure(name: "org.freedesktop.DBus.Error.UnknownMethod", text: "There is no such method here.")
    static let accessDenied = BusFailure(name: "org.freedesktop.DBus.Error.AccessDenied", text: "Only bluetoothd may call this.")
    static let invalidArguments = BusFailure(name: "org.freedesktop.DBus.Error.InvalidArgs", text: "These arguments are not understood.")

    static func unanswered(_ member: String) -> BusFailure {
        BusFailure(name: "org.freedesktop.DBus.Error.NoReply", text: "bluetoothd does not answer \(member)")
    }

    /// bluetoothd hands numbers from 0x80 to 0x9F on to the phone.
    static func attribute(_ error: UInt8) -> BusFailure {
        let number = (0x80...0x9F).contains(error) ? error : 0x80
        return BusFailure(name: "org.bluez.Error.Failed", text: "0x" + String(number, radix: 16))
    }

    static let invalidOffset = BusFailure(name: "org.bluez.Error.InvalidOffset", text: "There is nothing at this offset.")
    static let invalidLength = BusFailure(name: "org.bluez.Error.InvalidValueLength", text: "The value is too long.")
    static let notSupported = BusFailure(name: "org.bluez.Error.NotSupported", text: "Who asks is not named.")
}
