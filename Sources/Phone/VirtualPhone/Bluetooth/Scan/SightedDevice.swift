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
