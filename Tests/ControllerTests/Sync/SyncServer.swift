import ControlProtocol
import Cryptography
import Encoding
import SignedRepository
import Threads

@testable import Controller

/// Answers for an office as `tapstile-net` would, with tags and rests of files, and counts what was asked for.
final class SyncServer: Sendable {
    private struct State {
        var office: SyncOffice
        /// The program dies after so many bytes of targets.
        var bytesToLive: Int?
    }

    private let state: Monitor<State>
    let program: ScriptedProgram

    init(_ office: SyncOffice) {
        let state = Monitor(State(office: office))
        self.state = state
        program = ScriptedProgram { order, _ in
            guard case .fetch(let job) = order else { return [] }
            return state.withLock { Self.answer(job, &$0) }
        }
    }

    /// The office; what it publishes is on the server.
    func office<Result>(_ body: (inout SyncOffice) throws -> Result) rethrows -> Result { try state.withLock { try body(&$0.office) } }

    /// The next target breaks off after so many bytes, and the program with it.
    func dies(afterBytes count: Int) { state.withLock { $0.bytesToLive = count } }

    /// The files asked for since the last time, without the address, hashes shortened.
    func asked() -> [String] { program.jobs.map { $0.url.replacing("\(SyncOffice.url)/", with: "") } }

    private static func answer(_ job: FetchJob, _ state: inout State) -> [ScriptedProgram.Line] {
        guard let file = state.office.file(at: job.url.replacing("http://folder/", with: "\(SyncOffice.url)/")) else { return [.head(404), .end] }
        let tag = "\"\(Hex.encode(SHA256.hash(file)).prefix(16))\""
        if job.etag == tag { return [.head(304, etag: tag), .end] }
        let offset = Int(job.offset)
        let rest = Array(file.dropFirst(offset))
        let head = ScriptedProgram.Line.head(offset > 0 ? 206 : 200, length: Int64(rest.count), etag: tag)
        if job.url.contains("/targets/"), let count = state.bytesToLive, count < rest.count {
            state.bytesToLive = nil
            return [head, .bytes(Array(rest.prefix(count))), .hangUp]
        }
        return [head] + stride(from: 0, to: rest.count, by: 100).map { .bytes(Array(rest[$0..<min($0 + 100, rest.count)])) } + [.end]
    }
}
