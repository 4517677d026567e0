import CLinux
import Files
import Glibc
import ReaderProtocol
import Threads
import Waits

/// Stands in for the program of a PN532 whose field is empty: one connection after the other, a sign of life four times a second.
final class ChipProgram: Sendable {
    private struct State {
        var setups: [ReaderSetup] = []
        var ends = 0
        var isEnded = false
    }

    let path: String
    private let state = Monitor(State())
    private let worker = Mutex<Worker?>(nil)

    init(_ path: String) throws {
        self.path = path
        let listener = FileDescriptor(owning: try SystemError.check(clinux_unix_socket(Int32(CLINUX_STREAM), 0), "socket"))
        _ = try SystemError.check(clinux_unix_bind(listener.raw, path), "bind \(path)")
        guard listen(listener.raw, 4) == 0 else { throw SystemError("listen", errno) }
        let thread = try Worker(name: "program") { [self] in
            while !state.withLock(\.isEnded) {
                _ = clinux_poll_any([listener.raw], 1, 50)
                let accepted = clinux_accept(listener.raw)
                guard accepted >= 0 else { continue }
                serve(FileDescriptor(owning: accepted))
                state.change { $0.ends += 1 }
            }
        }
        worker.withLock { $0 = thread }
    }

    deinit { unlink(path) }

    func stop() {
        state.change { $0.isEnded = true }
        reportingWaits { try worker.withLock { $0 }?.waitForEnd() }
    }

    /// What it was told the last time, once it was told so often.
    func setUp(times: Int) throws -> ReaderSetup? {
        try state.wait(for: "setup \(times)") { $0.setups.count >= times ? $0.setups[times - 1] : nil }
    }

    /// How many connections have ended.
    var ends: Int { state.withLock(\.ends) }

    private func serve(_ socket: FileDescriptor) {
        var reader = ReaderFrameReader()
        var piece = [UInt8](repeating: 0, count: 4_096)
        var cycles: UInt32 = 0
        while !state.withLock(\.isEnded) {
            _ = clinux_poll_any([socket.raw], 1, 100)
            let count = clinux_receive(socket.raw, &piece, piece.count)
            if count > 0 {
                var rest = piece[..<count]
                while let frame = try? reader.next(from: &rest) { handle(frame, socket) }
            } else if count != -Int(EAGAIN) {
                return
            }
            cycles += 1
            send(.beat(ReaderBeat(phase: .polling, milliseconds: 0, cycles: cycles, faults: 0)), socket)
        }
    }

    private func handle(_ frame: ReaderFrame, _ socket: FileDescriptor) {
        guard case .order(.setUp(let setup)) = frame else { return }
        for report in [ReaderReport.state(.opening), .state(.open(ChipFirmware("PN532 v1.6"))), .empty] { send(report, socket) }
        state.change { $0.setups.append(setup) }
    }

    private func send(_ report: ReaderReport, _ socket: FileDescriptor) {
        let bytes = ReaderFrame.report(report).bytes
        _ = clinux_send(socket.raw, bytes, bytes.count)
    }
}
