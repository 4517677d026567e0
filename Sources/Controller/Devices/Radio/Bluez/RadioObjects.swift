/// The objects that one radio shows bluetoothd: a service with one characteristic, and the advertisement of it.
struct RadioObjects {
    /// `write` alone has bluetoothd wait for our answer; beside `write-without-response` it answers requests itself.
    private static let flags = ["read", "write"]

    let binding: RadioBinding
    /// The root of the application.
    let root: String
    var service: String { root + "/service" }
    var characteristic: String { service + "/value" }
    var advertisement: String { root + "/advertisement" }

    init(binding: RadioBinding, number: Int) {
        self.binding = binding
        root = "/org/tapstile/radio\(number)"
    }

    /// The answer to GetManagedObjects; nil where nobody manages objects. bluetoothd asks an advertisement for itself.
    func managed(at path: String) -> BusValue? {
        switch path {
        case root: .dictionary(of: Self.objectTypes, [object(service), object(characteristic)])
        case advertisement: .dictionary(of: Self.objectTypes, [object(advertisement)])
        default: nil
        }
    }

    /// The properties of one of our objects, `a{sv}`; nil where there is no such object or interface.
    func properties(at path: String, _ interface: String) -> BusValue? {
        switch (path, interface) {
        case (service, BluezName.gattService):
            .properties([("UUID", .string(binding.serviceUUID)), ("Primary", .bool(true))])
        case (characteristic, BluezName.characteristic):
            .properties([("UUID", .string(binding.characteristicUUID)), ("Service", .path(service)), ("Flags", .strings(Self.flags))])
        case (advertisement, BluezName.advertisement):
            .properties([("Type", .string("peripheral")), ("ServiceUUIDs", .strings([binding.serviceUUID])),
                         ("LocalName", .string(binding.localName)), ("Discoverable", .bool(true))])
        default: nil
        }
    }

    private static let objectTypes = "oa{sa{sv}}"

    private func object(_ path: String) -> BusEntry {
        let interfaces = [BluezName.gattService, BluezName.characteristic, BluezName.advertisement].compactMap { interface in
            properties(at: path, interface).map { BusEntry(key: .string(interface), value: $0) }
        }
        return BusEntry(key: .path(path), value: .dictionary(of: "sa{sv}", interfaces))
    }
}
