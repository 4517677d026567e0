import CLinux
import Cryptography
import Encoding
import Glibc
import InvitationDesk
import Invitations
import Threads

/// Visitors who all redeem their links at once: the shipped server on the disk that is measured, behind a Unix socket as behind a web server that
/// does TLS, and eight phones at a time in this process, which make keys and sign.
struct InvitationBenchmark {
    private var visitors: Int { report.extent.of(2000, short: 16) }
    private static let phones = 8
    private static let origin = "https://gates.example"

    let folder: String
    let programs: TestedPrograms
    let report: Report

    func run() throws {
        report.note("invitations: \(visitors) visitors, \(Self.phones) at a time")
        try Folder.make(folder)
        try tool("init", ["--site", "bench", "--dir", "\(folder)/office"])
        try tool("gate", ["--name", "gates", "--dir", "\(folder)/office"])
        try tool("serve", ["init", "--site", "bench", "--issuer", "visitors", "--url", "\(Self.origin)/visit", "--listen", "unix:\(folder)/v.sock",
                           "--gates", "\(folder)/office/gates.phone", "--dir", "\(folder)/desk"])
        let links = try invite()
        let server = try ChildProcess([programs.authority, "serve", "--dir", "\(folder)/desk"], environment: ["TAPSTILE_CLOCK_SOURCE": "installer"],
                                      output: "/dev/null")
        try waitForSocket(server)
        let start = Clock.now
        try redeem(links)
        // So many milliseconds as are five for two hundred a second.
        report.add("redemption", Double(Clock.now - start) / 1e6 / Double(visitors), "ms", bar: 5)
        report.add("invitations-memory", ProcessFacts(identifier: server.identifier).peak, "MiB", bar: 48)
        try server.end()
    }

    private func invite() throws -> [InvitationCode] {
        let desk = try InvitationDesk.open(folder: "\(folder)/desk")
        let now = clinux_realtime_nanoseconds() / 1_000_000_000
        return try (0..<visitors).map { try desk.invite(NewInvitation(subject: "visitor \($0)", expires: now + 86_400), by: "bench", now: now).code }
    }

    private func waitForSocket(_ server: ChildProcess) throws(BenchError) {
        let deadline = Clock.now + Patience.step
        while access("\(folder)/v.sock", F_OK) != 0 {
            guard server.isRunning, Clock.now < deadline else { throw BenchError("the server of invitations does not listen") }
            Clock.pause(milliseconds: 5)
        }
    }

    /// All links, by so many threads.
    private func redeem(_ links: [InvitationCode]) throws {
        let path = "\(folder)/v.sock", shared = Shared()
        let workers = try (0..<Self.phones).map { number in
            try Worker(name: "visitor \(number)") {
                do {
                    let connection = try ServedConnection(path: path)
                    while let place = shared.take(below: links.count) { try Self.redeem(links[place], connection) }
                } catch {
                    shared.fail("\(error)")
                }
            }
        }
        for worker in workers where !worker.ends(byMonotonicMilliseconds: MonotonicTime.milliseconds + Patience.whole / 1_000_000) {
            throw BenchError("visitors were not answered in time")
        }
        if let failure = shared.firstFailure { throw BenchError("a visitor was refused: \(failure)") }
    }

    private static func redeem(_ code: InvitationCode, _ connection: ServedConnection) throws {
        let now = clinux_realtime_nanoseconds() / 1_000_000_000
        guard let begun = BegunInvitation(json: try connection.post("begin", BeginRequest(code: code).json)) else { throw BenchError("no answer to begin") }
        let request = try RedeemRequest(code: code, key: SigningKey.generate(), nonce: begun.nonce, origin: origin, time: now)
        guard IssuedAccess(json: try connection.post("redeem", request.json)) != nil else { throw BenchError("no answer to redeem") }
    }

    private func tool(_ command: String, _ arguments: [String]) throws(BenchError) {
        let child = try ChildProcess([programs.authority, command] + arguments, environment: ["TAPSTILE_CLOCK_SOURCE": "installer"], output: "/dev/null")
        guard try child.wait() == 0 else { throw BenchError("tapstile-authority \(command) failed") }
    }

    /// What the phones share.
    private final class Shared: Sendable {
        private let next = Mutex(0)
        private let failures = Mutex<[String]>([])

        func take(below count: Int) -> Int? {
            next.withLock { next in
                guard next < count else { return nil }
                defer { next += 1 }
                return next
            }
        }

        func fail(_ text: String) { failures.withLock { $0.append(text) } }
        var firstFailure: String? { failures.withLock { $0.first } }
    }
}
