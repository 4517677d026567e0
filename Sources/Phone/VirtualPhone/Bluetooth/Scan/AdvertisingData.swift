/// What a device says of itself while it advertises (Core 5.4, Vol 3 Part C, 11; Supplement, Part A, 1). Whatever cannot be read
/// is left out, with all that follows it.
public struct AdvertisingData: Hashable, Sendable {
    /// Services by all their forms, in the order in which they are named.
    public private(set) var services: [BluetoothUUID] = []
    /// The name, the complete one where both are there.
    public private(set) var localName: String?
    private var isNameComplete = false

    /// Types of the structures (Assigned Numbers, 2.3).
    private enum Kind: UInt8 {
        case someServices16 = 0x02
        case allServices16 = 0x03
        case someServices32 = 0x04
        case allServices32 = 0x05
        case someServices128 = 0x06
        case allServices128 = 0x07
        case shortName = 0x08
        case completeName = 0x09
    }

    /// Reads structures one after the other: their length, type and data. A length of 0 ends them.
    public init(parsing bytes: [UInt8]) {
        var reader = LittleEndianReader(bytes)
        while let length = reader.byte().map(Int.init), length > 0, var structure = reader.bytes(length).map(LittleEndianReader.init),
              let type = structure.byte() {
            if let kind = Kind(rawValue: type) { take(kind, structure.remaining()) }
        }
    }

    private mutating func take(_ kind: Kind, _ data: [UInt8]) {
        switch kind {
        case .someServices16, .allServices16: takeServices(data, length: 2)
        case .someServices32, .allServices32: takeServices(data, length: 4)
        case .someServices128, .allServices128: takeServices(data, length: 16)
        case .shortName: if !isNameComplete { localName = String(decoding: data, as: UTF8.self) }
        case .completeName:
            localName = String(decoding: data, as: UTF8.self)
            isNameComplete = true
        }
    }

    private mutating func takeServices(_ data: [UInt8], length: Int) {
        var reader = LittleEndianReader(data)
        while let bytes = reader.bytes(length), let uuid = BluetoothUUID(littleEndian: bytes) {
            if !services.contains(uuid) { services.append(uuid) }
        }
    }
}
