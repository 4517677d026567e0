import CLinux
import Encoding
import Files

/// A connection to the server of invitations that stays open, as browsers keep it.
final class ServedConnection {
    private let socket: FileDescriptor
    private var received: [UInt8] = []

    init(path: String) throws {
        socket = FileDescriptor(owning: clinux_unix_socket(Int32(CLINUX_STREAM), 1))
        guard clinux_unix_connect(socket.raw, path) == 0 else { throw BenchError("nobody listens at \(path)") }
    }

    /// The answer to a request, which must be a good one.
    func post(_ name: String, _ body: JSON) throws -> JSON {
        let bytes = body.canonical
        let head = "POST /visit/api/1/\(name) HTTP/1.1\r\nHost: gates.example\r\nContent-Type: application/json\r\nContent-Length: \(bytes.count)\r\n\r\n"
        try socket.write(Array(head.utf8) + bytes)
        let end = try through(Array("\r\n\r\n".utf8))
        let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
        received.removeFirst(end)
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }?.split(separator: " ").last.flatMap { Int($0) }
        guard let length else { throw BenchError("an answer without its length") }
        while received.count < length { try more() }
        let answer = Array(received[..<length])
        received.removeFirst(length)
        guard lines.first?.contains(" 200 ") == true else { throw BenchError(String(decoding: answer, as: UTF8.self)) }
        return try JSON.parse(answer)
    }

    /// The place behind the next such bytes.
    private func through(_ mark: [UInt8]) throws -> Int {
        while true {
            if let place = received.indices.first(where: { received[$0...].starts(with: mark) }) { return place + mark.count }
            try more()
        }
    }

    private func more() throws {
        let piece = try socket.read(upTo: 65_536)
        guard !piece.isEmpty else { throw BenchError("the server has closed") }
        received += piece
    }
}
