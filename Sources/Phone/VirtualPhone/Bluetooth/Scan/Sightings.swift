/// Everything that was heard during a search. An advertisement and its scan response may come one by one, in either order.
struct Sightings: Sendable {
    private let wanted: [BluetoothUUID]
    private var devices: [BluetoothAddress: Device] = [:]
    /// Addresses in the order in which they were heard first.
    private var order: [BluetoothAddress] = []

    private struct Device {
        var services: Set<BluetoothUUID> = []
        var localName: String?
        var strength: Int?
    }

    /// Who makes up addresses shall not fill the memory.
    static let mostDevices = 512

    init(of wanted: [BluetoothUUID]) {
        self.wanted = wanted
    }

    /// Gates in the order in which they were heard first.
    var gates: [FoundGate] {
        order.compactMap { address in
            guard let device = devices[address], let service = wanted.first(where: device.services.contains) else { return nil }
            return FoundGate(address: address, service: service, localName: device.localName, strength: device.strength)
        }
    }

    mutating func add(_ sighted: SightedDevice) {
        if devices[sighted.address] == nil {
            guard order.count < Self.mostDevices else { return }
            order.append(sighted.address)
        }
        var device = devices[sighted.address] ?? Device()
        for uuid in wanted where sighted.data.services.contains(uuid) { device.services.insert(uuid) }
        device.localName = sighted.data.localName ?? device.localName
        device.strength = sighted.strength
        devices[sighted.address] = device
    }
}

/// A gate that was found by its service.
public struct FoundGate: Hashable, Sendable {
    public let address: BluetoothAddress
    /// What it advertises of what was looked for.
    public let service: BluetoothUUID
    /// Its name, where it said one: any text.
    public let localName: String?
    /// Received strength in dBm when it was heard last; nil where the adapter cannot tell.
    public let strength: Int?
}
