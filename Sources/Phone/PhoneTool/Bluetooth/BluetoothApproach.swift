import Threads
import VirtualPhone

/// The way to a gate over Bluetooth: the adapter, the search, the link.
public struct BluetoothApproach: Sendable {
    /// Which adapter of this machine to use.
    public var adapter: AdapterName
    /// The gate; nil searches for one.
    public var address: BluetoothAddress?
    /// What to search for.
    public var service: BluetoothUUID

    public init(adapter: AdapterName = .any, address: BluetoothAddress? = nil, service: BluetoothUUID = GateService.onTouch.uuid) {
        self.adapter = adapter
        self.address = address
        self.service = service
    }

    /// A gate to which there is a link. Microseconds.
    public struct Found: Sendable {
        public let adapter: Adapter
        public let address: BluetoothAddress
        /// How long the search took; nil if there was none.
        public let scan: Int64?
        /// How long the link took.
        public let connect: Int64
    }

    /// Finds the gate and connects.
    /// - Parameter deadline: monotonic nanoseconds.
    public func connect(until deadline: Int64, stop: BluetoothStop) throws(BluetoothError) -> (Found, AttributeSocket) {
        let control = try ControlSocket(stop: stop)
        let adapter = try control.adapter(adapter)
        let begun = MonotonicTime.microseconds
        let address = try address(by: control, on: adapter, until: deadline)
        let found = MonotonicTime.microseconds
        let link = try AttributeSocket(to: address, from: adapter, until: deadline, stop: stop)
        return (
            Found(adapter: adapter, address: address, scan: self.address == nil ? found - begun : nil,
                  connect: MonotonicTime.microseconds - found), link)
    }

    /// Every gate that is heard until then.
    public func search(until deadline: Int64, stop: BluetoothStop) throws(BluetoothError) -> [FoundGate] {
        let control = try ControlSocket(stop: stop)
        return try control.search(for: [service], on: try control.adapter(adapter), until: deadline)
    }

    /// Ends a link at once, where that is permitted; the kernel does it 2 s later. A person who stops the program does not
    /// stop this.
    public func leave(_ found: Found) {
        try? ControlSocket(stop: BluetoothStop()).disconnect(found.address, from: found.adapter)
    }

    private func address(by control: ControlSocket, on adapter: Adapter, until deadline: Int64) throws(BluetoothError) -> BluetoothAddress {
        if let address { return address }
        let gates = try control.search(for: [service], on: adapter, until: deadline) { !$0.isEmpty }
        guard let gate = gates.first else { throw .nobodyFound(service) }
        return gate.address
    }
}
