/// The links of all radios, held against the phones that bluetoothd calls connected. Pure.
struct LinkTable {
    struct Entry: Hashable, Sendable {
        let link: RadioLink
        /// The phone's path.
        let device: String
        let address: DeviceAddress?
        /// The adapter's number in the kernel.
        let adapter: UInt16?
    }

    struct Change: Hashable, Sendable {
        var opened: [Entry] = []
        var closed: [Entry] = []
    }

    private(set) var entries: [String: Entry] = [:]
    private let nextID: @Sendable () -> UInt64

    /// - Parameter nextID: never answers the same twice.
    init(nextID: @escaping @Sendable () -> UInt64) {
        self.nextID = nextID
    }

    /// Holds the table against what there is.
    /// - Parameter radios: the radio of each adapter, by the adapter's path.
    mutating func compare(_ objects: BluezObjects, radios: [String: String]) -> Change {
        let connected = objects.devices.filter { $0.value.isConnected && radios[$0.value.adapter] != nil }
        var change = Change()
        change.closed = entries.values.filter { entry in
            connected[entry.device].map { radios[$0.adapter] != entry.link.radio } ?? true
        }.sorted { $0.link.id < $1.link.id }
        for entry in change.closed { entries[entry.device] = nil }
        for device in connected.values.sorted(by: { $0.path < $1.path }) where entries[device.path] == nil {
            change.opened.append(open(device, radios, objects))
        }
        return change
    }

    private mutating func open(_ device: BluezDevice, _ radios: [String: String], _ objects: BluezObjects) -> Entry {
        let entry = Entry(link: RadioLink(radio: radios[device.adapter] ?? "", id: nextID()), device: device.path,
                          address: device.address, adapter: objects.adapters[device.adapter]?.index)
        entries[device.path] = entry
        return entry
    }

    /// The link of a phone.
    func link(of device: String) -> RadioLink? { entries[device]?.link }

    func entry(of link: RadioLink) -> Entry? { entries.values.first { $0.link == link } }

    func count(of radio: String) -> Int { entries.values.count { $0.link.radio == radio } }
}
