import CLinux
import ControlProtocol
import Files
import Glibc
import Threads
import Uplink

/// What fetches for one gate: `tapstile-net` on a thread in the place of a process, with a connection to the server of its own, which stays as long as
/// server and library let it.
final class GateFetcher {
    /// libssl's deepest calls need more than a gate's threads do.
    private static let stackBytes = 1 << 20
    private static let milliseconds: Int64 = 120_000

    private let socket: FileDescriptor
    private let worker: Worker
    private var reader = FetchFrameReader()
    private var held: ArraySlice<UInt8> = []
    private var piece = [UInt8](repeating: 0, count: FetchFrameReader.mostBytes)

    /// - Parameter never: becomes readable at no time.
    init(_ setup: FetchSetup, never: FileDescriptor) throws {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { throw SystemError("make a pair of sockets", errno) }
        let ours = FileDescriptor(owning: pair[0], path: "the fetcher")
        let theirs = FileDescriptor(owning: pair[1], path: "the gate")
        socket = ours
        worker = try Worker(name: "fetcher", stackBytes: Self.stackBytes) {
            // What keeps it from beginning is seen by the gate: nobody answers.
            _ = (try? FetchService(input: theirs, output: theirs, stop: never))?.run()
        }
        try send(.setUp(setup))
    }

    /// Fetches a file that is held whole. The bytes are there with status 200 only.
    func fetch(_ url: String, most: Int64, unlike tag: String? = nil) throws -> (head: FetchHead, bytes: [UInt8]) {
        let job = try FetchJob(url: url, mostBytes: most, milliseconds: Self.milliseconds, minimumRate: 0, etag: tag)
        try send(.fetch(job))
        var watch = FetchWatch(job, at: MonotonicTime.milliseconds)
        var answer: FetchHead?
        var bytes: [UInt8] = []
        while true {
            switch try watch.receive(try report(), at: MonotonicTime.milliseconds) {
            case .nothing: continue
            case .head(let head): answer = head
            case .bytes(let more): bytes += more
            case .end:
                guard let answer else { throw LoadFault("an end before the answer") }
                return (answer, bytes)
            }
        }
    }

    private func send(_ order: FetchOrder) throws {
        let bytes = FetchFrame.order(order).bytes
        guard clinux_write(socket.raw, bytes, bytes.count) == bytes.count else { throw LoadFault("the fetcher does not listen") }
    }

    private func report() throws -> FetchReport {
        while true {
            if case .report(let report)? = try reader.next(from: &held) { return report }
            // Or the piece would be copied: the empty rest of it still holds it.
            held = []
            let count = clinux_read(socket.raw, &piece, piece.count)
            guard count > 0 else { throw LoadFault("the fetcher has ended") }
            held = piece[..<count]
        }
    }
}
