/// Which adapter a radio has got.
enum AdapterChoice: Hashable, Sendable {
    case found(BluezAdapter)
    case absent(reason: String)
    case ambiguous(addresses: [String])

    /// Binds radios to adapters: those with an address first, and a radio without one to the adapter that is left.
    static func all(_ bindings: [RadioBinding], among adapters: [BluezAdapter]) -> [AdapterChoice] {
        let named = Set(bindings.compactMap { $0.address.flatMap { DeviceAddress($0) } })
        let left = adapters.filter { adapter in
            adapter.address.flatMap { DeviceAddress($0) }.map { !named.contains($0) } ?? false
        }
        return bindings.map { binding in
            guard let address = binding.address else { return only(left, others: adapters.count - left.count) }
            return byAddress(address, among: adapters)
        }
    }

    private static func byAddress(_ address: String, among adapters: [BluezAdapter]) -> AdapterChoice {
        let wanted = DeviceAddress(address)
        let found = adapters.first { $0.address.flatMap { DeviceAddress($0) } == wanted && wanted != nil }
        if let found { return .found(found) }
        let there = adapters.compactMap(\.address)
        guard !there.isEmpty else { return .absent(reason: "The Bluetooth adapter \(address) is not plugged in. \(Self.whereToLook)") }
        return .absent(reason: "The Bluetooth adapter \(address) is not plugged in; there is \(there.joined(separator: ", ")). "
            + "`bluetoothctl list` shows the addresses.")
    }

    private static func only(_ left: [BluezAdapter], others: Int) -> AdapterChoice {
        if left.count == 1, let one = left.first { return .found(one) }
        guard left.isEmpty else { return .ambiguous(addresses: left.compactMap(\.address)) }
        let reason = others == 0 ? "No Bluetooth adapter is plugged in." : "No Bluetooth adapter is left that other radios do not name."
        return .absent(reason: "\(reason) \(whereToLook)")
    }

    private static let whereToLook = "`ls /sys/class/bluetooth` shows what the kernel has found, `dmesg` what it could not use."
}
