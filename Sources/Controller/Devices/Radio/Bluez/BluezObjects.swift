/// The objects of bluetoothd that matter here, as its messages tell. Pure. What is not understood is passed over.
struct BluezObjects {
    private(set) var adapters: [String: BluezAdapter] = [:]
    private(set) var devices: [String: BluezDevice] = [:]

    /// The answer to GetManagedObjects, `a{oa{sa{sv}}}`: all there are.
    init(_ objects: BusValue? = nil) {
        for entry in objects?.entries ?? [] {
            if let path = entry.key.text { add(path, entry.value) }
        }
    }

    /// InterfacesAdded.
    mutating func add(_ path: String, _ interfaces: BusValue) {
        for entry in interfaces.entries ?? [] {
            switch entry.key.text {
            case BluezName.adapter: adapters[path, default: BluezAdapter(path: path)].update(entry.value)
            case BluezName.applications: adapters[path, default: BluezAdapter(path: path)].acceptsApplications = true
            case BluezName.advertisements: adapters[path, default: BluezAdapter(path: path)].acceptsAdvertisements = true
            case BluezName.device: devices[path, default: BluezDevice(path: path)].update(entry.value)
            default: continue
            }
        }
    }

    /// InterfacesRemoved.
    mutating func remove(_ path: String, _ interfaces: [String]) {
        for interface in interfaces {
            switch interface {
            case BluezName.adapter:
                adapters[path] = nil
                devices = devices.filter { $0.value.adapter != path }
            case BluezName.applications: adapters[path]?.acceptsApplications = false
            case BluezName.advertisements: adapters[path]?.acceptsAdvertisements = false
            case BluezName.device: devices[path] = nil
            default: continue
            }
        }
    }

    /// PropertiesChanged.
    mutating func change(_ path: String, _ interface: String, _ properties: BusValue) {
        switch interface {
        case BluezName.adapter: adapters[path]?.update(properties)
        case BluezName.device: devices[path, default: BluezDevice(path: path)].update(properties)
        default: return
        }
    }

    /// A phone that writes is connected, whatever was told of it so far.
    mutating func isHeard(_ path: String) {
        devices[path, default: BluezDevice(path: path)].isConnected = true
    }

    /// A phone that cannot be disconnected because it has gone, whatever was told of it so far.
    mutating func isGone(_ path: String) { devices[path] = nil }

    /// An adapter is one when its address is known: before that only parts of it were told.
    var known: [BluezAdapter] {
        adapters.values.filter { $0.address != nil }.sorted { $0.path < $1.path }
    }
}

/// Names of bluetoothd's interfaces (doc/org.bluez.*.rst of BlueZ).
enum BluezName {
    static let service = "org.bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let applications = "org.bluez.GattManager1"
    static let advertisements = "org.bluez.LEAdvertisingManager1"
    static let advertisement = "org.bluez.LEAdvertisement1"
    static let gattService = "org.bluez.GattService1"
    static let characteristic = "org.bluez.GattCharacteristic1"

    static let alreadyExists = "org.bluez.Error.AlreadyExists"
    /// What a phone that has gone is answered for: by bluetoothd, and by its D-Bus library where the object is no more.
    static let goneErrors: Set<String> = [
        "org.bluez.Error.NotConnected", "org.bluez.Error.DoesNotExist",
        "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod"
    ]
}

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
    var acceptsApplications = false
    var acceptsAdvertisements = false

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
