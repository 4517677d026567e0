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
