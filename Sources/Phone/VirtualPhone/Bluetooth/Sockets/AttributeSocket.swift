import CLinux
import Glibc
import Threads

/// A link to a gate through the kernel: an L2CAP socket on the Attribute Protocol's fixed channel (Core 5.4, Vol 3 Part A, 2.1:
/// CID 4). Needs no privilege.
public final class AttributeSocket: ATTLink {
    private let gate: BluetoothAddress
    private var socket: BluetoothSocket?

    private static let channel: UInt16 = 4

    /// Connects. The kernel waits until it hears the gate advertise.
    /// - Parameters:
    ///   - adapter: the one of this machine to use.
    ///   - deadline: monotonic nanoseconds.
    public init(to gate: BluetoothAddress, from adapter: Adapter, until deadline: Int64, stop: BluetoothStop) throws(BluetoothError) {
        self.gate = gate
        let socket = try BluetoothSocket(owning: clinux_l2cap_socket(), stop: stop)
        let own = adapter.address
        let bound = clinux_l2cap_bind(socket.raw, own.littleEndian, own.kind.rawValue, Self.channel)
        guard bound == 0 else { throw .failed(doing: "Choosing the adapter hci\(adapter.index)", errno: -bound) }
        let connected = clinux_l2cap_connect(socket.raw, gate.littleEndian, gate.kind.rawValue, Self.channel)
        guard connected == 0 || connected == -EINPROGRESS else { throw .notReached(gate, errno: -connected) }
        guard try socket.wait(for: UInt32(CLINUX_WRITABLE), until: deadline) else { throw .notReached(gate, errno: ETIMEDOUT) }
        let wrong = clinux_socket_error(socket.raw)
        guard wrong == 0 else { throw .notReached(gate, errno: -wrong) }
        self.socket = socket
    }

    public func send(_ pdu: [UInt8]) throws(BluetoothError) {
        guard let socket else { throw .linkLost(errno: ENOTCONN) }
        while true {
            let sent = socket.send(pdu)
            if sent == pdu.count { return }
            guard sent == Int(-EAGAIN) else { throw .linkLost(errno: sent < 0 ? Int32(clamping: -sent) : EIO) }
            // The controller has no room: the gate takes nothing at this moment.
            let deadline = MonotonicTime.nanoseconds + Int64(ATTLimits.transactionMilliseconds) * 1_000_000
            guard try socket.wait(for: UInt32(CLINUX_WRITABLE), until: deadline) else { throw .silent }
        }
    }

    public func receive(until deadline: Int64) throws(BluetoothError) -> [UInt8] {
        guard let socket else { throw .linkLost(errno: ENOTCONN) }
        while true {
            switch socket.receive() {
            case .message(let pdu) where !pdu.isEmpty: return pdu
            // The end of a connection; an empty PDU is none.
            case .message: throw .linkLost(errno: ECONNRESET)
            case .failed(EAGAIN):
                guard try socket.wait(for: UInt32(CLINUX_READABLE), until: deadline) else { throw .silent }
            case .failed(let errno): throw .linkLost(errno: errno)
            }
        }
    }

    /// Closes the socket. The kernel keeps the link for 2 s more, in case somebody wants it again; `ControlSocket.disconnect`
    /// ends it at once.
    public func close() {
        socket = nil
    }
}
