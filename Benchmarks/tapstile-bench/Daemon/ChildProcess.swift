import Glibc
import Service

/// A program that was started here and is ended here.
final class ChildProcess {
    /// Its number.
    let identifier: pid_t
    /// The most memory that it had (VmHWM), known once it was waited for.
    private(set) var peakKibibytes = 0
    /// The processor time that it took, in seconds; known then too.
    private(set) var processorSeconds: Double = 0
    private var hasEnded = false
    private let name: String

    /// Starts `arguments[0]` with the environment of this process and `environment` over it.
    /// The signals that this process keeps to itself are open in the child.
    init(_ arguments: [String], environment: [String: String] = [:], output: String? = nil) throws(BenchError) {
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = Self.environment(with: environment).map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let output { posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var started: pid_t = 0
        let result = posix_spawn(&started, arguments[0], &actions, &attributes, &argv, &envp)
        guard result == 0 else { throw BenchError("cannot start \(arguments[0]): errno \(result)") }
        identifier = started
        name = arguments[0]
    }

    deinit { try? end() }

    private static func environment(with changes: [String: String]) -> [String] {
        var texts = changes.map { "\($0)=\($1)" }
        var entry = environ
        while let next = entry.pointee {
            let text = String(cString: next)
            if changes[String(text.prefix { $0 != "=" })] == nil { texts.append(text) }
            entry += 1
        }
        return texts
    }

    /// Asks it to end and waits for that.
    func end() throws(BenchError) {
        guard !hasEnded else { return }
        kill(identifier, SIGTERM)
        _ = try wait(nanoseconds: Patience.step)
    }

    /// Waits for its end; its exit status, nil when a signal ended it. A program that takes too long is killed.
    func wait(nanoseconds: Int64 = Patience.whole) throws(BenchError) -> Int32? {
        guard !hasEnded else { return nil }
        let deadline = Clock.now + nanoseconds
        var status: Int32 = 0
        var usage = rusage()
        while wait4(identifier, &status, WNOHANG, &usage) == 0 {
            guard Clock.now < deadline else {
                kill(identifier, SIGKILL)
                while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
                hasEnded = true
                throw BenchError("\(name) did not end in \(nanoseconds / 1_000_000_000) s")
            }
            Clock.pause(milliseconds: 2)
        }
        hasEnded = true
        peakKibibytes = usage.ru_maxrss
        processorSeconds = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    /// Whether it is still there. Once it is not, it has been waited for.
    var isRunning: Bool {
        guard !hasEnded else { return false }
        var status: Int32 = 0
        hasEnded = waitpid(identifier, &status, WNOHANG) == identifier
        return !hasEnded
    }
}
