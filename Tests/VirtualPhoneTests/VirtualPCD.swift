import CLinux
import Glibc
import Waits

@testable import VirtualPhone

/// The reader's side of the virtual reader's protocol on a port of its own: what pcscd's driver
/// says to a card, said by the test.
final class VirtualPCD {
    let port: UInt16
    private let listener: Int32
    private var connection: Int32 = -1

    struct Failed: Error { let doing: String }

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in(loopback: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else { throw Failed(doing: "listening") }
    }

    deinit {
        hangUp()
        close(listener)
    }

    /// Takes the card that was put on.
    func accept() throws {
        try waitForInput(listener, "the card to connect")
        connection = Glibc.accept(listener, nil, nil)
        guard connection >= 0 else { throw Failed(doing: "accepting") }
    }

    func send(_ body: [UInt8]) throws {
        let message = [UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
        guard clinux_send(connection, message, message.count) == message.count else { throw Failed(doing: "sending") }
    }

    /// The next message of the card; nil when it left.
    func read() throws -> [UInt8]? {
        guard let header = try receive(2) else { return nil }
        return try receive(Int(header[0]) << 8 | Int(header[1]))
    }

    func ask(_ body: [UInt8]) throws -> [UInt8]? {
        try send(body)
        return try read()
    }

    func hangUp() {
        if connection >= 0 { close(connection) }
        connection = -1
    }

    private func receive(_ count: Int) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: count)
        while bytes.count < count {
            try waitForInput(connection, "byte \(bytes.count + 1) of \(count) of the card's answer")
            let more = recv(connection, &piece, count - bytes.count, 0)
            guard more > 0 else { return nil }
            bytes += piece[..<more]
        }
        return bytes
    }
}
