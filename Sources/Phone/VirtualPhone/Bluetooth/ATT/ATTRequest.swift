/// A request to the gate (Core 5.4, Vol 3 Part F, 3.4).
public enum ATTRequest: Hashable, Sendable {
    /// How long a PDU the phone can take (3.4.2.1).
    case exchangeMTU(UInt16)
    /// Groups whose first attribute has this type and value: services by their UUID (3.4.3.3; Part G, 4.4.2).
    case findByTypeValue(ClosedRange<UInt16>, type: UInt16, value: [UInt8])
    /// Values of the attributes of a type (3.4.4.1; Part G, 4.6.1).
    case readByType(ClosedRange<UInt16>, type: BluetoothUUID)
    /// Groups of a type: all services (3.4.4.9; Part G, 4.4.1).
    case readByGroupType(ClosedRange<UInt16>, type: BluetoothUUID)
    /// The beginning of a value (3.4.4.3).
    case read(UInt16)
    /// What follows in it (3.4.4.5).
    case readBlob(UInt16, offset: UInt16)
    /// A value as a whole (3.4.5.1).
    case write(UInt16, value: [UInt8])
    /// A part of a value (3.4.6.1).
    case prepareWrite(UInt16, offset: UInt16, part: [UInt8])
    /// The prepared parts: write them, or forget them (3.4.6.3).
    case executeWrite(commits: Bool)

    var opcode: ATTOpcode {
        switch self {
        case .exchangeMTU: .exchangeMTURequest
        case .findByTypeValue: .findByTypeValueRequest
        case .readByType: .readByTypeRequest
        case .readByGroupType: .readByGroupTypeRequest
        case .read: .readRequest
        case .readBlob: .readBlobRequest
        case .write: .writeRequest
        case .prepareWrite: .prepareWriteRequest
        case .executeWrite: .executeWriteRequest
        }
    }

    /// The PDU.
    public var encoded: [UInt8] { [opcode.rawValue] + parameters }

    private var parameters: [UInt8] {
        switch self {
        case .exchangeMTU(let mtu): mtu.littleEndianBytes
        case .findByTypeValue(let handles, let type, let value): Self.bytes(handles) + type.littleEndianBytes + value
        case .readByType(let handles, let type), .readByGroupType(let handles, let type):
            Self.bytes(handles) + type.shortestLittleEndian
        case .read(let handle): handle.littleEndianBytes
        case .readBlob(let handle, let offset): handle.littleEndianBytes + offset.littleEndianBytes
        case .write(let handle, let value): handle.littleEndianBytes + value
        case .prepareWrite(let handle, let offset, let part): handle.littleEndianBytes + offset.littleEndianBytes + part
        case .executeWrite(let commits): [commits ? 0x01 : 0x00]
        }
    }

    private static func bytes(_ handles: ClosedRange<UInt16>) -> [UInt8] {
        handles.lowerBound.littleEndianBytes + handles.upperBound.littleEndianBytes
    }
}

/// What a PDU of the Attribute Protocol is (Core 5.4, Vol 3 Part F, 3.4.8).
enum ATTOpcode: UInt8 {
    case errorResponse = 0x01
    case exchangeMTURequest = 0x02
    case exchangeMTUResponse = 0x03
    case findInformationRequest = 0x04
    case findInformationResponse = 0x05
    case findByTypeValueRequest = 0x06
    case findByTypeValueResponse = 0x07
    case readByTypeRequest = 0x08
    case readByTypeResponse = 0x09
    case readRequest = 0x0A
    case readResponse = 0x0B
    case readBlobRequest = 0x0C
    case readBlobResponse = 0x0D
    case readMultipleRequest = 0x0E
    case readMultipleResponse = 0x0F
    case readByGroupTypeRequest = 0x10
    case readByGroupTypeResponse = 0x11
    case writeRequest = 0x12
    case writeResponse = 0x13
    case prepareWriteRequest = 0x16
    case prepareWriteResponse = 0x17
    case executeWriteRequest = 0x18
    case executeWriteResponse = 0x19
    case notification = 0x1B
    case indication = 0x1D
    case confirmation = 0x1E
    case readMultipleVariableRequest = 0x20
    case readMultipleVariableResponse = 0x21
    case multipleNotification = 0x23

    /// Set in what needs no answer and may be ignored by whoever does not know it (3.3.1).
    static let commandFlag: UInt8 = 0x40
}
