import CLinux
import ControlProtocol
import Files
import Glibc
import Threads
import Waits

@testable import Controller
@testable import Sync

/// Stands in for `tapstile-net` at the other end of connections: says for each order what a script says.
final class ScriptedProgram: Sendable {
    enum Line: Sendable {
        case send(FetchReport)
        /// What is no report, perhaps.
        case raw([UInt8])
        case hangUp
    }

    struct Script: Sendable {
        let lines: @Sendable (_ order: FetchOrder, _ count: Int) -> [Line]
    }

    private struct State {
        var connections = 0
        var orders: [FetchOrder] = []
        var ended = 0
        var threads: [Worker] = []
    }

    private let script: Script
    private let state = Monitor(State())

    /// - Parameter lines: what is said to an order; the count says which one it is, from 0.
    init(_ lines: @escaping @Sendable (_ order: FetchOrder, _ count: Int) -> [Line]) { script = Script(lines: lines) }

    var connections: Int { state.withLock { $0.connections } }
    var orders: [FetchOrder] { state.withLock { $0.orders } }
    var jobs: [FetchJob] { orders.compactMap { if case .fetch(let job) = $0 { job } else { nil } } }

    /// Waits until so many connections have ended.
    func waitForEnd(of count: Int, fileID: String = #fileID, line: Int = #line) throws {
        try state.wait(for: "the end of connection \(count)", fileID: fileID, line: line) {
            $0.ended >= count ? () : nil
        }
    }

    /// A new connection, as the gate sees it.
    func connect() throws(SystemError) -> FetchConnection { FetchConnection(try end()) }

    /// The gate's end of a new connection.
    func end() throws(SystemError) -> FileDescriptor {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw SystemError("socketpair", errno) }
        let ours = FileDescriptor(owning: ends[0]), theirs = FileDescriptor(owning: ends[1])
        state.withLock { $0.connections += 1 }
        let thread = try Worker(name: "program") { [self] in
            serve(theirs)
            // The other side sees the end before the test does.
            shutdown(theirs.raw, Int32(SHUT_RDWR))
            state.change { $0.ended += 1 }
        }
        state.withLock { $0.threads.append(thread) }
        return ours
    }

    /// Waits for gates at a socket, as systemd does.
    func listen(at path: String) throws(SystemError) -> Listening {
        let socket = FileDescriptor(owning: try SystemError.check(clinux_unix_socket(Int32(CLINUX_STREAM), 1), "socket"))
        _ = try SystemError.check(clinux_unix_bind(socket.raw, path), "bind")
        guard Glibc.listen(socket.raw, 8) == 0 else { throw SystemError("listen", errno) }
        let thread = try Worker(name: "listener") { [self] in
            while true {
                let theirs = FileDescriptor(owning: accept(socket.raw, nil, nil))
                guard theirs.raw >= 0 else { return }
                state.withLock { $0.connections += 1 }
                serve(theirs)
                shutdown(theirs.raw, Int32(SHUT_RDWR))
                state.change { $0.ended += 1 }
            }
        }
        return Listening(socket: socket, thread: thread)
    }

    /// Ends with the test: a gate that is still connected is served until it stops.
    final class Listening {
        private let socket: FileDescriptor
        private let thread: Worker

        init(socket: FileDescriptor, thread: Worker) { (self.socket, self.thread) = (socket, thread) }

        func stop() {
            shutdown(socket.raw, Int32(SHUT_RDWR))
            reportingWaits { try thread.waitForEnd() }
        }
    }

    private func serve(_ socket: FileDescriptor) {
        var reader = FetchFrameReader()
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket.raw, &piece, piece.count, 0)
            guard count > 0 else { return }
            var rest = piece[..<count]
            while let frame = try? reader.next(from: &rest), case .order(let order) = frame {
                let number = state.change { state -> Int in
                    state.orders.append(order)
                    return state.orders.count - 1
                }
                for line in script.lines(order, number) where !perform(line, socket) { return }
            }
        }
    }

    private func perform(_ line: Line, _ socket: FileDescriptor) -> Bool {
        switch line {
        case .send(let report): write(FetchFrame.report(report).bytes, socket)
        case .raw(let bytes): write(bytes, socket)
        case .hangUp: false
        }
    }

    private func write(_ bytes: [UInt8], _ socket: FileDescriptor) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { send(socket.raw, $0.baseAddress.map { $0 + done }, bytes.count - done, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}

extension ScriptedProgram.Line {
    static func head(_ status: Int, length: Int64? = nil, etag: String? = nil) -> ScriptedProgram.Line {
        guard let head = try? FetchHead(status: status, length: length, etag: etag) else { preconditionFailure("a test's head is one") }
        return .send(.head(head))
    }

    static func bytes(_ bytes: [UInt8]) -> ScriptedProgram.Line { .send(.bytes(bytes)) }
    static let end = ScriptedProgram.Line.send(.end)
    static let beat = ScriptedProgram.Line.send(.beat)
}
