import Encoding

/// A PDU that came from the gate (Core 5.4, Vol 3 Part F, 3.3.1).
public enum ATTMessage: Hashable, Sendable {
    /// The answer to a request.
    case response(ATTResponse)
    /// The gate wants to know how long a PDU the phone can take (3.4.2.1).
    case exchangeMTU(UInt16)
    /// Another request, or one that cannot be read: its opcode, and why the phone does not do it.
    case request(UInt8, ATTErrorCode)
    /// A value nobody asked for, which the gate wants confirmed (3.4.7.2).
    case indication
    /// Something that needs no answer: a notification, a command, a confirmation.
    case ignorable
    /// A response that has not the form of one; an empty PDU.
    case malformed(UInt8?)

    /// Reads any bytes.
    public init(parsing bytes: [UInt8]) {
        guard let first = bytes.first else {
            self = .malformed(nil)
            return
        }
        guard let opcode = ATTOpcode(rawValue: first) else {
            self = first & ATTOpcode.commandFlag == 0 ? .request(first, .requestNotSupported) : .ignorable
            return
        }
        self = Self.read(opcode, Array(bytes.dropFirst()))
    }

    private static func read(_ opcode: ATTOpcode, _ parameters: [UInt8]) -> ATTMessage {
        switch opcode {
        case .errorResponse, .exchangeMTUResponse, .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse,
             .readResponse, .readBlobResponse, .readMultipleResponse, .readByGroupTypeResponse, .writeResponse,
             .prepareWriteResponse, .executeWriteResponse, .readMultipleVariableResponse:
            return ATTResponse(opcode, parameters).map(ATTMessage.response) ?? .malformed(opcode.rawValue)
        case .exchangeMTURequest:
            var reader = LittleEndianReader(parameters)
            guard let mtu = reader.number16(), reader.isAtEnd else { return .request(opcode.rawValue, .invalidPDU) }
            return .exchangeMTU(mtu)
        case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readRequest, .readBlobRequest,
             .readMultipleRequest, .readByGroupTypeRequest, .writeRequest, .prepareWriteRequest, .executeWriteRequest,
             .readMultipleVariableRequest:
            return .request(opcode.rawValue, .requestNotSupported)
        case .indication: return .indication
        case .notification, .confirmation, .multipleNotification: return .ignorable
        }
    }
}

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
