/// What bluetoothd says of an adapter.
struct BluezAdapter: Hashable, Sendable {
    /// `/org/bluez/hci0`
    let path: String
    var address: String?
    var isPowered = false
    /// `on`, `off`, `off-enabling`, `on-disabling`, `off-blocked`; nil with a bluetoothd before 5.73, which does not tell.
    var powerState: String?
    /// Nil with a bluetoothd that does not tell.
    var roles: [String]?
    var takesApplications = false
    var takesAdvertisements = false

    /// The kernel's number: `/org/bluez/hci0` is 0.
    var index: UInt16? {
        guard let digits = path.split(separator: "/").last?.dropFirst(3), path.contains("/hci") else { return nil }
        return UInt16(digits)
    }

    /// Takes over what has changed.
    mutating func update(_ properties: BusValue) {
        if let address = properties["Address"]?.text { self.address = address }
        if let flag = properties["Powered"]?.flag { isPowered = flag }
        if let state = properties["PowerState"]?.text { powerState = state }
        if let roles = properties["Roles"]?.texts { self.roles = roles }
    }
}
