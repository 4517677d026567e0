import CLinux
import Glibc
import Threads

/// A serial port that exists in this machine only: the chip's end of it. It is unplugged when this object goes.
final class PseudoTerminal: Sendable {
    /// The chip's end.
    let raw: Int32
    /// Where programs find the other end.
    let path: String
    /// The other end, held open so that the port stays one port while programs come and go.
    private let device: Int32

    private static let pathCapacity = 64

    init() throws(SystemError) {
        var path = [CChar](repeating: 0, count: Self.pathCapacity)
        var device: Int32 = -1
        let opened = clinux_terminal_create(&device, &path, path.count)
        raw = try SystemError.check(opened, "make a pseudo-terminal")
        self.device = device
        self.path = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        close(raw)
        close(device)
    }

    /// What has come; empty when nothing has.
    func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = bytes.withUnsafeMutableBytes { clinux_read(raw, $0.baseAddress, $0.count) }
        return Array(bytes.prefix(max(0, count)))
    }

    /// Bytes that nobody takes are lost, as on a wire.
    func write(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { clinux_write(raw, $0.baseAddress, $0.count) }
    }
}
