import Controller
import ControlProtocol
import Encoding
import Files
import Glibc
import RepositoryFolder
import Threads

/// A folder with a repository that is brought to a gate in the same process, as `tapstile import` brings one to a daemon.
public enum BroughtFolder {
    /// Returns once the gate is done with it.
    /// - Parameter limit: seconds until it is given up.
    /// - Returns: how it went, as `tapstile import --json` says it.
    /// - Throws: `ControlError` with the code for which the gate took nothing.
    @discardableResult
    public static func bring(_ path: String, to gate: Controller, limit: Int64 = 60) throws -> JSON {
        // Who reads the folder may be writing when the gate hangs up.
        signal(SIGPIPE, SIG_IGN)
        let number = try handOver(path, to: gate)
        let deadline = MonotonicTime.milliseconds + limit * 1000
        var report = try gate.importReport(number)
        while report["ended"]?.bool != true {
            guard MonotonicTime.milliseconds < deadline else { throw ControlError(code: "import-too-slow", message: "\(path) was not taken within \(limit) s.") }
            usleep(1000)
            report = try gate.importReport(number)
        }
        guard let failure = report["failure"] else { return report }
        throw ControlError(code: failure["code"]?.string ?? "?", message: failure["message"]?.string ?? "")
    }

    /// The gate has the other end of the connection alone: it ends when the gate has done with it.
    private static func handOver(_ path: String, to gate: Controller) throws -> UInt64 {
        let folder = try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY)
        let pair = try SocketPair()
        let answer = try gate.importFolder(descriptor: pair.theirs.raw)
        let connection = pair.ours
        // It ends when the gate hangs up.
        _ = try Worker(name: "folder") { FolderService(folder: folder, connection: connection).run() }
        return UInt64(answer["import"]?.integer ?? 0)
    }
}
