/// A device that was heard once (mgmt-api, Device Found Event).
struct SightedDevice: Hashable, Sendable {
    let address: BluetoothAddress
    /// Received strength in dBm; nil where the adapter cannot tell.
    let strength: Int?
    let data: AdvertisingData

    /// What the kernel says in the place of a strength that it does not know.
    private static let unknownStrength: UInt8 = 127

    /// nil for a device without Low Energy, and for what has not the form of a sighting.
    init?(parsing parameters: [UInt8]) {
        var reader = LittleEndianReader(parameters)
        guard let address = reader.bytes(BluetoothAddress.length), let type = reader.byte(), let kind = BluetoothAddress.Kind(rawValue: type),
              let address = BluetoothAddress(littleEndian: address, kind: kind), let strength = reader.byte(),
              reader.bytes(Self.flagsLength) != nil, let length = reader.number16(), let data = reader.bytes(Int(length))
        else { return nil }
        self.address = address
        self.strength = strength == Self.unknownStrength ? nil : Int(Int8(bitPattern: strength))
        self.data = AdvertisingData(parsing: data)
    }

    private static let flagsLength = 4
}

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
            if let kind = Kind(rawValue: type) { read(kind, structure.remaining()) }
        }
    }

    private mutating func read(_ kind: Kind, _ data: [UInt8]) {
        switch kind {
        case .someServices16, .allServices16: readServices(data, length: 2)
        case .someServices32, .allServices32: readServices(data, length: 4)
        case .someServices128, .allServices128: readServices(data, length: 16)
        case .shortName: if !isNameComplete { localName = String(decoding: data, as: UTF8.self) }
        case .completeName:
            localName = String(decoding: data, as: UTF8.self)
            isNameComplete = true
        }
    }

    private mutating func readServices(_ data: [UInt8], length: Int) {
        var reader = LittleEndianReader(data)
        while let bytes = reader.bytes(length), let uuid = BluetoothUUID(littleEndian: bytes) {
            if !services.contains(uuid) { services.append(uuid) }
        }
    }
}
