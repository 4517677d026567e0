import Encoding

/// Why a gate did not do what a request asked (Core 5.4, Vol 3 Part F, 3.4.1.1, table 3.4). Any byte is one.
public struct ATTErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let invalidHandle = ATTErrorCode(rawValue: 0x01)
    public static let readNotPermitted = ATTErrorCode(rawValue: 0x02)
    public static let writeNotPermitted = ATTErrorCode(rawValue: 0x03)
    public static let invalidPDU = ATTErrorCode(rawValue: 0x04)
    public static let requestNotSupported = ATTErrorCode(rawValue: 0x06)
    public static let invalidOffset = ATTErrorCode(rawValue: 0x07)
    public static let prepareQueueFull = ATTErrorCode(rawValue: 0x09)
    public static let attributeNotFound = ATTErrorCode(rawValue: 0x0A)
    public static let attributeNotLong = ATTErrorCode(rawValue: 0x0B)
    public static let invalidValueLength = ATTErrorCode(rawValue: 0x0D)
    public static let unlikely = ATTErrorCode(rawValue: 0x0E)
    /// Of the application: nothing can be read yet (docs/phone-protocol.md).
    public static let nothingReady = ATTErrorCode(rawValue: 0x80)

    /// Two digits.
    public var description: String { Hex.encode([rawValue]) }
}
