/// What a gate answers to a request (Core 5.4, Vol 3 Part F, 3.4).
public enum ATTResponse: Hashable, Sendable {
    /// It did not do it (3.4.1.1). `request` is the opcode of what was asked.
    case error(request: UInt8, handle: UInt16, ATTErrorCode)
    /// How long a PDU the gate can take (3.4.2.2).
    case exchangeMTU(UInt16)
    /// Groups: their first and last handle (3.4.3.4).
    case findByTypeValue([ClosedRange<UInt16>])
    /// Attributes with their values, all of one length (3.4.4.2).
    case readByType([Attribute])
    /// Groups with the values of their first attributes (3.4.4.10).
    case readByGroupType([Group])
    /// The beginning of a value (3.4.4.4).
    case read([UInt8])
    /// What follows in it (3.4.4.6).
    case readBlob([UInt8])
    /// It is written (3.4.5.2).
    case write
    /// What was prepared, as the gate understood it (3.4.6.2).
    case prepareWrite(UInt16, offset: UInt16, part: [UInt8])
    /// The parts are written or forgotten (3.4.6.4).
    case executeWrite
    /// A response to something that no phone of ours asks.
    case other(UInt8)

    /// An attribute and the beginning of its value.
    public struct Attribute: Hashable, Sendable {
        public let handle: UInt16
        public let value: [UInt8]
    }

    /// A group of attributes and the value of the first.
    public struct Group: Hashable, Sendable {
        public let handles: ClosedRange<UInt16>
        public let value: [UInt8]
    }
}

extension ATTResponse {
    /// Its first byte.
    var opcode: UInt8 {
        switch self {
        case .error: ATTOpcode.errorResponse.rawValue
        case .exchangeMTU: ATTOpcode.exchangeMTUResponse.rawValue
        case .findByTypeValue: ATTOpcode.findByTypeValueResponse.rawValue
        case .readByType: ATTOpcode.readByTypeResponse.rawValue
        case .readByGroupType: ATTOpcode.readByGroupTypeResponse.rawValue
        case .read: ATTOpcode.readResponse.rawValue
        case .readBlob: ATTOpcode.readBlobResponse.rawValue
        case .write: ATTOpcode.writeResponse.rawValue
        case .prepareWrite: ATTOpcode.prepareWriteResponse.rawValue
        case .executeWrite: ATTOpcode.executeWriteResponse.rawValue
        case .other(let opcode): opcode
        }
    }
}

extension ATTResponse {
    /// Reads the parameters of a response; nil if they have not its form, or if `opcode` is not one of a response.
    init?(_ opcode: ATTOpcode, _ parameters: [UInt8]) {
        var reader = LittleEndianReader(parameters)
        switch opcode {
        case .errorResponse:
            guard let request = reader.byte(), let handle = reader.number16(), let code = reader.byte(), reader.isAtEnd else { return nil }
            self = .error(request: request, handle: handle, ATTErrorCode(rawValue: code))
        case .exchangeMTUResponse:
            guard let mtu = reader.number16(), reader.isAtEnd else { return nil }
            self = .exchangeMTU(mtu)
        case .findByTypeValueResponse:
            guard let groups = Self.groups(&reader) else { return nil }
            self = .findByTypeValue(groups)
        case .readByTypeResponse:
            guard let list = Self.list(&reader, head: 2) else { return nil }
            var attributes: [Attribute] = []
            for var item in list {
                guard let handle = item.number16() else { return nil }
                attributes.append(Attribute(handle: handle, value: item.remaining()))
            }
            self = .readByType(attributes)
        case .readByGroupTypeResponse:
            guard let list = Self.list(&reader, head: 4) else { return nil }
            var groups: [Group] = []
            for var item in list {
                guard let handles = Self.range(&item) else { return nil }
                groups.append(Group(handles: handles, value: item.remaining()))
            }
            self = .readByGroupType(groups)
        case .readResponse: self = .read(parameters)
        case .readBlobResponse: self = .readBlob(parameters)
        case .prepareWriteResponse:
            guard let handle = reader.number16(), let offset = reader.number16() else { return nil }
            self = .prepareWrite(handle, offset: offset, part: reader.remaining())
        case .writeResponse where parameters.isEmpty: self = .write
        case .executeWriteResponse where parameters.isEmpty: self = .executeWrite
        case .findInformationResponse, .readMultipleResponse, .readMultipleVariableResponse: self = .other(opcode.rawValue)
        case .writeResponse, .executeWriteResponse, .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest,
             .readByTypeRequest, .readRequest, .readBlobRequest, .readMultipleRequest, .readByGroupTypeRequest, .writeRequest,
             .prepareWriteRequest, .executeWriteRequest, .notification, .indication, .confirmation, .readMultipleVariableRequest,
             .multipleNotification:
            return nil
        }
    }

    /// At least one pair of handles, and nothing else (3.4.3.4).
    private static func groups(_ reader: inout LittleEndianReader) -> [ClosedRange<UInt16>]? {
        var groups: [ClosedRange<UInt16>] = []
        while !reader.isAtEnd {
            guard let group = range(&reader) else { return nil }
            groups.append(group)
        }
        return groups.isEmpty ? nil : groups
    }

    /// The items of a list whose first byte says how long each is, at least one (3.4.4.2, 3.4.4.10).
    private static func list(_ reader: inout LittleEndianReader, head: Int) -> [LittleEndianReader]? {
        guard let length = reader.byte().map(Int.init), length >= head, !reader.isAtEnd, reader.count % length == 0 else { return nil }
        var items: [LittleEndianReader] = []
        while let item = reader.bytes(length) { items.append(LittleEndianReader(item)) }
        return items
    }

    /// Two handles in their order. 0 is none (3.2.2).
    private static func range(_ reader: inout LittleEndianReader) -> ClosedRange<UInt16>? {
        guard let first = reader.number16(), let last = reader.number16(), first > 0, first <= last else { return nil }
        return first...last
    }
}
