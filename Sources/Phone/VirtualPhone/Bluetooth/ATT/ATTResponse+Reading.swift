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
