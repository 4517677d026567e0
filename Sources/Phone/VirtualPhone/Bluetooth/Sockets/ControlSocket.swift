import CLinux
import Glibc
import Threads

/// The kernel's management of adapters (mgmt-api of BlueZ), beside bluetoothd or without it. Anybody may ask which adapters
/// there are; to search and to cut links needs CAP_NET_ADMIN.
public final class ControlSocket {
    private let socket: BluetoothSocket
    /// Events that came before the answer to a command.
    private var waiting: [ControllerEvent] = []

    /// The kernel itself answers these commands, a controller some of them.
    private static let commandNanoseconds: Int64 = 5_000_000_000
    /// Adapters tell of a device once in a search, and the kernel drops what comes before it is ready: so it is begun anew.
    private static let roundNanoseconds: Int64 = 500_000_000
    private static let searching = "To search for gates"

    public init(stop: BluetoothStop) throws(BluetoothError) {
        socket = try BluetoothSocket(owning: clinux_bluetooth_control_socket(), stop: stop)
    }

    /// The adapter that is meant.
    public func adapter(_ name: AdapterName) throws(BluetoothError) -> Adapter {
        var all: [Adapter] = []
        let list = try end(of: .readIndexList, adapter: ControllerCommand.noIndex)
        for index in Adapter.indices(parsing: list.parameters) {
            let information = try end(of: .readInformation, adapter: index)
            if let adapter = Adapter(index: index, parsing: information.parameters) { all.append(adapter) }
        }
        guard let adapter = all.first(where: name.means) ?? (name == .any ? all.first : nil) else { throw .noAdapter(name) }
        guard adapter.isOn else { throw .adapterOff(adapter) }
        return adapter
    }

    /// Searches for gates until the time has come, or `isEnough` says so of those that were heard so far.
    /// - Parameter deadline: monotonic nanoseconds.
    public func search(
        for services: [BluetoothUUID], on adapter: Adapter, until deadline: Int64, isEnough: ([FoundGate]) -> Bool = { _ in false }
    ) throws(BluetoothError) -> [FoundGate] {
        var sightings = Sightings(of: services)
        while true {
            let roundEnd = min(deadline, MonotonicTime.nanoseconds + Self.roundNanoseconds)
            let isOurs = try startDiscovery(on: adapter)
            while !isEnough(sightings.gates), let event = try nextEvent(until: roundEnd) {
                try handle(event, of: adapter, into: &sightings)
            }
            // The kernel tells then what it kept back while it waited for a scan response. That nobody searches any more
            // is no failure.
            if isOurs { _ = try end(of: .stopDiscovery, adapter: adapter.index) }
            for event in waiting { try handle(event, of: adapter, into: &sightings) }
            waiting = []
            if isEnough(sightings.gates) || MonotonicTime.nanoseconds >= deadline { return sightings.gates }
        }
    }

    private func handle(_ event: ControllerEvent, of adapter: Adapter, into sightings: inout Sightings) throws(BluetoothError) {
        guard event.index == adapter.index else { return }
        switch event.content {
        case .sighted(let device): sightings.add(device)
        case .removed: throw .noAdapter(.index(adapter.index))
        case .ended, .other: break
        }
    }

    /// Ends the link to a gate at once. Without the privilege nothing happens: the kernel does it 2 s after the last socket.
    public func disconnect(_ gate: BluetoothAddress, from adapter: Adapter) throws(BluetoothError) {
        _ = try end(of: .disconnect(gate), adapter: adapter.index)
    }

    /// False when somebody else is searching already; what he hears comes here too.
    private func startDiscovery(on adapter: Adapter) throws(BluetoothError) -> Bool {
        let status = try end(of: .startDiscovery, adapter: adapter.index).status
        switch status {
        case .success: return true
        case .busy: return false
        case .permissionDenied: throw .notPermitted(doing: Self.searching)
        case .notPowered, .rejected: throw .adapterOff(adapter)
        case .invalidIndex: throw .noAdapter(.index(adapter.index))
        default: throw .command(doing: Self.searching, status: status.rawValue)
        }
    }

    /// Gives a command and waits for its end.
    private func end(
        of command: ControllerCommand, adapter index: UInt16
    ) throws(BluetoothError) -> (status: ControllerStatus, parameters: [UInt8]) {
        let sent = socket.send(command.encoded(adapter: index))
        guard sent >= 0 else { throw .failed(doing: "Giving a command to the adapters", errno: Int32(clamping: -sent)) }
        let deadline = MonotonicTime.nanoseconds + Self.commandNanoseconds
        while let event = try receive(until: deadline) {
            guard case .ended(command.code, let status, let parameters) = event.content, event.index == index else {
                waiting.append(event)
                continue
            }
            return (status, parameters)
        }
        throw .silent
    }

    private func nextEvent(until deadline: Int64) throws(BluetoothError) -> ControllerEvent? {
        waiting.isEmpty ? try receive(until: deadline) : waiting.removeFirst()
    }

    /// nil when the time has come.
    private func receive(until deadline: Int64) throws(BluetoothError) -> ControllerEvent? {
        while true {
            switch socket.receive() {
            case .message(let bytes):
                if let event = ControllerEvent(parsing: bytes) { return event }
            case .failed(EAGAIN):
                guard try socket.wait(for: UInt32(CLINUX_READABLE), until: deadline) else { return nil }
            case .failed(let errno): throw .failed(doing: "Listening to the adapters", errno: errno)
            }
        }
    }
}
