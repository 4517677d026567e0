/// One command and its response, as the phone saw them.
public struct PhoneStep: Hashable, Sendable {
    public let command: [UInt8]
    public let response: [UInt8]

    /// Bytes in both directions, without block framing.
    public var byteCount: Int { command.count + response.count }
}
