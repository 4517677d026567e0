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
