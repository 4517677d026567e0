/// One command and its response, as the phone saw them; over Bluetooth a value written, and the one read after it.
public struct PhoneStep: Hashable, Sendable {
    public let command: [UInt8]
    public let response: [UInt8]

    /// Bytes in both directions, without block framing.
    public var byteCount: Int { command.count + response.count }
}
