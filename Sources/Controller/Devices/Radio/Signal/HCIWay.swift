import CBluetooth
import CLinux
import Files
import Threads

/// Past bluetoothd, with no privilege.
struct HCIWay: SignalWay {
    func open(_ adapter: UInt16) throws(SystemError) -> any SignalPort { try HCIPort(adapter: adapter) }
}

/// Asks the adapter itself, past bluetoothd: needs no privilege, and is never an old value.
final class HCIPort: SignalPort {
    private let socket: FileDescriptor
    private var handles: [UInt16: DeviceAddress] = [:]
    /// Longer than any event: its length has one byte.
    private static let longestEvent = 260

    /// - Parameter adapter: the kernel's number.
    init(adapter: UInt16) throws(SystemError) {
        let raw = try SystemError.check(cbluetooth_hci_open(adapter, StrengthEvent.command), "open a Bluetooth socket of hci\(adapter)")
        socket = FileDescriptor(owning: raw)
    }

    var descriptor: Int32 { socket.raw }

    func ask(_ address: DeviceAddress) throws(SystemError) {
        let found = try SystemError.check(cbluetooth_hci_handle(socket.raw, address.octets), "find the link of a phone")
        let handle = UInt16(truncatingIfNeeded: found)
        // A handle is given to the next phone when its own has gone.
        handles = handles.filter { $0.value != address }
        handles[handle] = address
        let request = StrengthEvent.request(handle)
        _ = try SystemError.check(Int32(clamping: clinux_send(socket.raw, request, request.count)), "ask for the strength of a link")
    }

    func receive() throws(SystemError) -> [SignalAnswer] {
        try SocketPackets.answers(socket, longest: Self.longestEvent) { packet throws(SystemError) in
            guard let event = StrengthEvent(packet), let address = handles[event.handle] else { return nil }
            return SignalAnswer(address: address, reported: event.dBm, status: event.status)
        }
    }
}
