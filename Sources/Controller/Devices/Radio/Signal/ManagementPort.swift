import CBluetooth
import CLinux
import Files
import Glibc
import Threads

/// Asks the kernel's management interface: the second way, for where the adapter's own socket is not to be had. Needs
/// CAP_NET_ADMIN, and the kernel answers with what it knew up to 3 s ago.
final class ManagementPort: SignalPort {
    private let socket: FileDescriptor
    private let adapter: UInt16
    private static let longestEvent = 512

    init(adapter: UInt16) throws(SystemError) {
        socket = FileDescriptor(owning: try SystemError.check(cbluetooth_management_open(), "open the kernel's Bluetooth management"))
        self.adapter = adapter
    }

    var descriptor: Int32 { socket.raw }

    func ask(_ address: DeviceAddress) throws(SystemError) {
        let request = ConnectionInformation.request(address, adapter: adapter)
        _ = try SystemError.check(Int32(clamping: clinux_send(socket.raw, request, request.count)), "ask for the strength of a link")
    }

    func take() throws(SystemError) -> [SignalAnswer] {
        try SocketPackets.answers(socket, longest: Self.longestEvent) { packet throws(SystemError) in
            if ConnectionInformation.isPermissionDenied(packet) { throw SystemError("ask the kernel's Bluetooth management", EPERM) }
            guard let told = ConnectionInformation(packet), told.adapter == adapter else { return nil }
            return SignalAnswer(address: told.address, reported: told.dBm, status: told.status)
        }
    }
}
