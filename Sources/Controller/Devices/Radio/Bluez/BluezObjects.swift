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
            case BluezName.applications: adapters[path, default: BluezAdapter(path: path)].takesApplications = true
            case BluezName.advertisements: adapters[path, default: BluezAdapter(path: path)].takesAdvertisements = true
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
            case BluezName.applications: adapters[path]?.takesApplications = false
            case BluezName.advertisements: adapters[path]?.takesAdvertisements = false
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
