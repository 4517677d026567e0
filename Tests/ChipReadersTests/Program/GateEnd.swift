import CLinux
import Files
import Glibc
import ReaderProtocol
import Threads
import Waits

/// The gate's end of a connection to the program.
final class GateEnd {
    private let descriptor: FileDescriptor
    private var reader = ReaderFrameReader()
    private var input: ArraySlice<UInt8> = []
    private(set) var beats: [ReaderBeat] = []

    /// Connects as soon as somebody listens there.
    init(_ path: String) throws {
        let connected = try waitUntil("somebody to listen at \(path)") {
            let descriptor = FileDescriptor(owning: try SystemError.check(clinux_unix_socket(Int32(CLINUX_STREAM), 1), "socket"))
            return (descriptor: descriptor, answer: clinux_unix_connect(descriptor.raw, path))
        } fits: { $0.answer == 0 }
        descriptor = connected.descriptor
    }

    /// Connected to a program that has been told which chip it drives and has tried to open it.
    static func opening(_ path: String, _ setup: ReaderSetup) throws -> (GateEnd, ChipState?) {
        let gate = try GateEnd(path)
        gate.send(.setUp(setup))
        return (gate, try gate.opens())
    }

    func send(_ order: ReaderOrder) { send(ReaderFrame.order(order).bytes) }

    func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { clinux_send(descriptor.raw, $0.baseAddress, $0.count) }
    }

    /// The next report that is no sign of life; nil at the end of the connection.
    func next(fileID: String = #fileID, line: Int = #line) throws -> ReaderReport? {
        let deadline = WaitLimit.deadline
        var count = 0
        while let report = try nextOrBeat(fileID: fileID, line: line) {
            guard case .beat(let beat) = report else { return report }
            beats.append(beat)
            count += 1
            guard MonotonicTime.milliseconds < deadline else {
                throw WaitedInVain("a report", instead: "\(count) signs of life", fileID: fileID, line: line)
            }
        }
        return nil
    }

    /// The next report of any kind.
    func nextOrBeat(fileID: String = #fileID, line: Int = #line) throws -> ReaderReport? {
        var piece = [UInt8](repeating: 0, count: 512)
        while true {
            switch try? reader.next(from: &input) {
            case .order?: return nil
            case .report(let report)?: return report
            case nil: break
            }
            try waitForInput(descriptor.raw, "a report or a sign of life", fileID: fileID, line: line)
            let count = clinux_receive(descriptor.raw, &piece, piece.count)
            guard count > 0 else { return nil }
            input += piece[..<count]
        }
    }

    /// What becomes of opening the chip.
    func opens(fileID: String = #fileID, line: Int = #line) throws -> ChipState? {
        guard try next(fileID: fileID, line: line) == .state(.opening),
              case .state(let state)? = try next(fileID: fileID, line: line) else { return nil }
        return state
    }

    /// The card that is reported next; an empty field may be told of before.
    func card(fileID: String = #fileID, line: Int = #line) throws -> ReportedCard? {
        while let report = try next(fileID: fileID, line: line) {
            switch report {
            case .card(let card): return card
            case .empty: continue
            case .state, .answer, .failed, .beat: return nil
            }
        }
        return nil
    }

    /// What a command comes to.
    func exchange(_ presentation: UInt32, _ apdu: [UInt8] = [0x00, 0xA4, 0x04, 0x00]) throws -> ReaderReport? {
        send(.command(try ReaderCommand(presentation: presentation, apdu: apdu)))
        return try next()
    }
}
