import CSystemd
import Threads

/// A received message. Lives on the thread of its connection, and may be kept to be answered later.
final class BusMessage {
    enum Kind: Hashable {
        case call
        case answer
        case failure(BusFailure)
        case signal
    }

    let kind: Kind
    /// The sender's unique name; the bus itself is `org.freedesktop.DBus`.
    let sender: String
    let path: String
    let interface: String
    let member: String
    /// Of an answer: the number of our call.
    let answers: UInt64?
    private let raw: OpaquePointer

    /// Takes over a message of sd-bus.
    init?(owning raw: OpaquePointer) {
        guard let kind = Self.kind(of: raw) else {
            sd_bus_message_unref(raw)
            return nil
        }
        self.raw = raw
        self.kind = kind
        sender = Self.text(sd_bus_message_get_sender(raw))
        path = Self.text(sd_bus_message_get_path(raw))
        interface = Self.text(sd_bus_message_get_interface(raw))
        member = Self.text(sd_bus_message_get_member(raw))
        var cookie: UInt64 = 0
        answers = sd_bus_message_get_reply_cookie(raw, &cookie) >= 0 ? cookie : nil
    }

    deinit { sd_bus_message_unref(raw) }

    /// The values that it carries.
    func body() throws(SystemError) -> [BusValue] { try BusReader(raw).values() }

    /// Answers a call. Nobody is told when the caller has gone meanwhile.
    func reply(_ body: [BusValue] = []) throws(SystemError) {
        guard sd_bus_message_get_expect_reply(raw) > 0 else { return }
        var answer: OpaquePointer?
        _ = try SystemError.check(sd_bus_message_new_method_return(raw, &answer), "answer a D-Bus call")
        guard let answer else { return }
        defer { sd_bus_message_unref(answer) }
        try BusWriter(answer).write(body)
        _ = try SystemError.check(sd_bus_message_send(answer), "answer a D-Bus call")
    }

    /// Answers a call with an error.
    func fail(_ failure: BusFailure) throws(SystemError) {
        guard sd_bus_message_get_expect_reply(raw) > 0 else { return }
        let sent = failure.name.withCString { name in
            failure.text.withCString { text in
                var error = sd_bus_error(name: name, message: text, _need_free: 0)
                return sd_bus_reply_method_error(raw, &error)
            }
        }
        _ = try SystemError.check(sent, "answer a D-Bus call")
    }

    private static func kind(of raw: OpaquePointer) -> Kind? {
        var type: UInt8 = 0
        guard sd_bus_message_get_type(raw, &type) >= 0 else { return nil }
        switch Int(type) {
        case SD_BUS_MESSAGE_METHOD_CALL: return .call
        case SD_BUS_MESSAGE_METHOD_RETURN: return .answer
        case SD_BUS_MESSAGE_SIGNAL: return .signal
        case SD_BUS_MESSAGE_METHOD_ERROR:
            let error = sd_bus_message_get_error(raw)
            return .failure(BusFailure(name: text(error?.pointee.name), text: text(error?.pointee.message)))
        default: return nil
        }
    }

    private static func text(_ start: UnsafePointer<CChar>?) -> String { start.map { String(cString: $0) } ?? "" }
}

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
