/// A command to the kernel's management of adapters (mgmt-api of BlueZ).
enum ControllerCommand: Hashable, Sendable {
    /// Which adapters there are.
    case readIndexList
    /// Address and state of one.
    case readInformation
    /// Listen for devices, and ask those heard for more.
    case startDiscovery
    case stopDiscovery
    /// Cut the link to a device.
    case disconnect(BluetoothAddress)

    /// Stands for no adapter.
    static let noIndex: UInt16 = 0xFFFF
    /// Low Energy, with addresses of both kinds: a bit for each kind.
    private static let lowEnergy: UInt8 = 1 << BluetoothAddress.Kind.public.rawValue | 1 << BluetoothAddress.Kind.random.rawValue

    var code: UInt16 {
        switch self {
        case .readIndexList: 0x0003
        case .readInformation: 0x0004
        case .disconnect: 0x0014
        case .startDiscovery: 0x0023
        case .stopDiscovery: 0x0024
        }
    }

    private var parameters: [UInt8] {
        switch self {
        case .readIndexList, .readInformation: []
        case .startDiscovery, .stopDiscovery: [Self.lowEnergy]
        case .disconnect(let address): address.littleEndian + [address.kind.rawValue]
        }
    }

    /// Code, adapter, length and parameters.
    func encoded(adapter index: UInt16) -> [UInt8] {
        let parameters = parameters
        return code.littleEndianBytes + index.littleEndianBytes + UInt16(parameters.count).littleEndianBytes + parameters
    }
}
