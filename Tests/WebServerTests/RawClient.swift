import Foundation
import Glibc
import Waits
import WebServer

/// A client that sends what no browser would.
final class RawClient {
    private let descriptor: Int32

    /// At a port of this machine.
    /// - Parameter sender: the last number of the address from which it comes, 127.0.0.x.
    init(port: UInt16, from sender: UInt32 = 1) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = (0x7F00_0000 | sender).bigEndian
        let bound = withUnsafePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard bound == 0 else { throw NotConnected() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try connect(&address)
    }

    /// At a Unix socket.
    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        try connect(&address)
    }

    deinit { close(descriptor) }

    struct NotConnected: Error {}

    private func connect<Address>(_ address: inout Address) throws {
        var limit = timeval(tv_sec: WaitLimit.seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let answer = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) }
        }
        guard answer == 0 else { throw NotConnected() }
    }

    @discardableResult
    func send(_ text: String) -> RawClient {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        return self
    }

    /// All that comes until the other side closes, or resets; nil: it did neither.
    func rest() -> String? {
        var all: [UInt8] = [], piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(descriptor, &piece, piece.count, 0), count != 0 {
            if count < 0 { return errno == ECONNRESET ? String(decoding: all, as: UTF8.self) : nil }
            all += piece[..<count]
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// The next bytes that come.
    func some() -> String {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &piece, piece.count, 0)
        return String(decoding: piece[..<max(0, count)], as: UTF8.self)
    }

    /// The answer to one request, after which the server closes.
    func ask(_ head: String, _ body: String = "") -> String? { send(head + "\r\nHost: x\r\nConnection: close\r\n\r\n" + body).rest() }
}
