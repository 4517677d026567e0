import CBluetooth
import CLinux
import Files
import Glibc
import Threads

/// Through the kernel's management interface.
struct ManagementWay: SignalWay {
    func open(_ adapter: UInt16) throws(SystemError) -> any SignalPort { try ManagementPort(adapter: adapter) }
}

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

    func receive() throws(SystemError) -> [SignalAnswer] {
        try SocketPackets.answers(socket, longest: Self.longestEvent) { packet throws(SystemError) in
            if ConnectionInformation.isPermissionDenied(packet) { throw SystemError("ask the kernel's Bluetooth management", EPERM) }
            guard let told = ConnectionInformation(packet), told.adapter == adapter else { return nil }
            return SignalAnswer(address: told.address, reported: told.dBm, status: told.status)
        }
    }
}

/// The packets that a Bluetooth socket has for us.
enum SocketPackets {
    /// Takes each packet that has come, and waits for none.
    /// - Parameters:
    ///   - longest: what is longer is cut.
    ///   - answer: what a packet answers; nil for one that is for nobody here.
    /// - Throws: when there will be none any more, or what `answer` throws.
    static func answers<Answer>(_ socket: FileDescriptor, longest: Int,
                                _ answer: (ArraySlice<UInt8>) throws(SystemError) -> Answer?) throws(SystemError) -> [Answer] {
        var answers: [Answer] = []
        var packet = [UInt8](repeating: 0, count: longest)
        while true {
            let count = clinux_receive(socket.raw, &packet, packet.count)
            if count == 0 || count == -Int(EAGAIN) { return answers }
            _ = try SystemError.check(Int32(clamping: count), "hear from the adapter")
            if let answer = try answer(packet.prefix(count)) { answers.append(answer) }
        }
    }
}
