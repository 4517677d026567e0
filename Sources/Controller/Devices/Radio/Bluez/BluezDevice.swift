/// What bluetoothd says of a phone.
struct BluezDevice: Hashable, Sendable {
    /// `/org/bluez/hci0/dev_00_1A_7D_DA_71_13`
    let path: String
    var isConnected = false
    private var named: String?
    private var isRandom = true

    init(path: String) {
        self.path = path
    }

    /// The path of its adapter.
    var adapter: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }

    var address: DeviceAddress? { DeviceAddress(named ?? addressInPath, isRandom: isRandom) }

    private var addressInPath: String {
        let name = path.split(separator: "/").last ?? ""
        return name.dropFirst("dev_".count).split(separator: "_").joined(separator: ":")
    }

    /// Takes over what has changed.
    mutating func update(_ properties: BusValue) {
        if let address = properties["Address"]?.text { named = address }
        if let type = properties["AddressType"]?.text { isRandom = type == "random" }
        if let flag = properties["Connected"]?.flag { isConnected = flag }
    }
}
