/// One value of the characteristic over Bluetooth, written or read: a kind and what it is the kind of.
public struct Frame: Hashable, Sendable {
    public let kind: FrameKind
    public let payload: [UInt8]

    /// Longest payload, in bytes: the kind takes one byte of the value.
    public static let maximumPayload = PhoneProtocolProfile.maximumValue - 1

    public init(_ kind: FrameKind, _ payload: [UInt8]) {
        self.kind = kind
        self.payload = payload
    }

    /// The value.
    public var encoded: [UInt8] { [kind.rawValue] + payload }

    /// Reads a value; nil if it is empty, too long or of an unknown kind.
    public init?(parsing value: [UInt8]) {
        guard value.count <= PhoneProtocolProfile.maximumValue, let kind = value.first.flatMap(FrameKind.init(rawValue:)) else { return nil }
        self.init(kind, Array(value.dropFirst()))
    }
}

/// The first byte of every value over Bluetooth: what the rest of it is.
public enum FrameKind: UInt8, Sendable, Hashable, CaseIterable {
    /// An EDHOC message.
    case message = 0x00
    /// An EDHOC error message.
    case error = 0x01
    /// The outcome, encrypted; from the gate only.
    case outcome = 0x02
}
