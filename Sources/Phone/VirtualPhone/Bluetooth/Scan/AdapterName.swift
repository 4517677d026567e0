/// Which adapter of this machine is meant.
public enum AdapterName: Hashable, Sendable, CustomStringConvertible {
    /// The first that is on.
    case any
    /// By its number.
    case index(UInt16)
    /// By its address.
    case address(BluetoothAddress)

    /// The form in which one can be written.
    public static let form = "INDEX|ADDRESS"
    private static let prefix = "hci"

    /// Reads `1`, `hci1` or an address. nil for anything else.
    public init?(_ text: String) {
        if let address = BluetoothAddress(text), address.kind == .public {
            self = .address(address)
            return
        }
        guard let index = UInt16(text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text) else { return nil }
        self = .index(index)
    }

    func means(_ adapter: Adapter) -> Bool {
        switch self {
        case .any: adapter.isOn
        case .index(let index): index == adapter.index
        case .address(let address): address == adapter.address
        }
    }

    public var description: String {
        switch self {
        case .any: "any adapter"
        case .index(let index): "\(Self.prefix)\(index)"
        case .address(let address): address.description
        }
    }
}

/// A Bluetooth adapter of this machine.
public struct Adapter: Hashable, Sendable {
    /// Its number: 0 is what tools call hci0. It may change at every start.
    public let index: UInt16
    public let address: BluetoothAddress
    /// Whether it is switched on, with Low Energy.
    public let isOn: Bool

    /// Bits of the settings (mgmt-api, Read Controller Information Command).
    private static let powered: UInt16 = 1 << 0
    private static let lowEnergy: UInt16 = 1 << 9
    /// Version, manufacturer and supported settings: of no interest here.
    private static let skipped = 1 + 2 + 4

    /// What Read Controller Information answers; nil if it is something else.
    init?(index: UInt16, parsing parameters: [UInt8]) {
        var reader = LittleEndianReader(parameters)
        guard let address = reader.bytes(BluetoothAddress.length).flatMap({ BluetoothAddress(littleEndian: $0, kind: .public) }),
              reader.bytes(Self.skipped) != nil, let settings = reader.number16() else { return nil }
        self.index = index
        self.address = address
        isOn = settings & Self.powered != 0 && settings & Self.lowEnergy != 0
    }

    /// What Read Controller Index List answers; empty if it is something else.
    static func indices(parsing parameters: [UInt8]) -> [UInt16] {
        var reader = LittleEndianReader(parameters)
        guard let count = reader.number16(), reader.count == Int(count) * 2 else { return [] }
        var indices: [UInt16] = []
        while let index = reader.number16() { indices.append(index) }
        return indices
    }
}
