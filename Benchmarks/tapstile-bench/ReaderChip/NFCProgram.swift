import Glibc

/// tapstile-nfc at a socket of its own. Each connection of a gate is served by a process of its own.
final class NFCProgram {
    /// Where the gate connects.
    let socket: String
    private let keeper: ChildProcess

    init(_ programs: TestedPrograms, socket: String) throws(BenchError) {
        self.socket = socket
        unlink(socket)
        // Whoever is brought to crash must do so at once.
        keeper = try ChildProcess([programs.nfc, "--listen", socket], environment: ["SWIFT_BACKTRACE": "enable=no"])
        let deadline = Clock.now + Patience.step
        while access(socket, F_OK) != 0 {
            guard keeper.isRunning, Clock.now < deadline else { throw BenchError("tapstile-nfc does not run") }
            Clock.pause(milliseconds: 5)
        }
    }

    func stop() { try? keeper.end() }

    var servers: Servers { Servers(keeper: keeper.identifier) }

    /// The processes that serve, for any thread.
    struct Servers: Sendable {
        fileprivate let keeper: pid_t

        /// The one that serves now.
        var now: pid_t? { ProcessFacts(identifier: keeper).children.first }

        /// Ends it as a crash would. The number of the process.
        @discardableResult
        func kill() -> pid_t? {
            let server = now
            if let server { Glibc.kill(server, SIGKILL) }
            return server
        }

        /// Whoever connects from now on waits.
        func holdUp() { Glibc.kill(keeper, SIGSTOP) }

        /// Nobody waits any more.
        func goOn() { Glibc.kill(keeper, SIGCONT) }

        /// Nanoseconds that the process that serves and the one that waits for its end have computed.
        var processorTime: Int64 {
            [keeper, now].compactMap(\.self).reduce(0) { $0 + ProcessFacts(identifier: $1).processorTime }
        }
    }
}
