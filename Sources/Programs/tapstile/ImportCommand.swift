import CLinux
import CommandLineOptions
import ControlProtocol
import Encoding
import Files
import Glibc
import RepositoryFolder
import Service
import Threads

/// `tapstile import`: brings the gate a folder with a copy of the site's repository, such as a stick (S6).
struct ImportCommand {
    /// The gate.
    let gate: GateConnection
    /// Whether output is one JSON object a line.
    let json: Bool

    /// The gate asks for files by name, over a connection of its own; this program opens them. So it stays until the gate is done.
    /// - Parameter path: of the folder.
    func run(_ path: String) throws -> ExitStatus {
        // A pipe that nobody writes into would be waited for.
        let folder = try FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK)
        let metadata = clinux_open_beneath(folder.raw, "metadata/.")
        guard metadata >= 0 else {
            throw ControlError(code: "folder-without-repository", message: "There is no repository in \(path): its folder metadata cannot be opened "
                + "(\(SystemError.words(for: -metadata))). Name the folder that `tapstile-authority publish --stick` wrote. Single files are not taken any more.")
        }
        close(metadata)
        let (number, connection) = try handOver()
        // A disk that hangs holds up this thread alone. It ends when the gate hangs up, or with the program.
        _ = try Worker(name: "folder") { FolderService(folder: folder, connection: connection).run() }
        return try wait(for: number)
    }

    /// Gives the gate one end of a connection; the other one is ours. Ours alone, so that it ends when the gate has done with it.
    private func handOver() throws -> (number: UInt64, connection: FileDescriptor) {
        let pair = try SocketPair()
        let answer = try gate.ask(.importFolder, file: pair.theirs.raw)
        guard let number = answer["import"]?.integer, number >= 1 else {
            throw ControlError(code: "request-malformed", message: "The gate's answer names no import.")
        }
        return (UInt64(number), pair.ours)
    }

    private func wait(for number: UInt64) throws -> ExitStatus {
        let end = try EndOfRun(.followImport(number: number), at: gate)
        if let failure = end.failure { throw ControlError(code: failure.code ?? "sync-failed", message: failure.message) }
        write(end.answer, end.answer["way"] == nil ? "There was nothing new (\(end.cost))." : "Version \(Self.state(end.answer)) (\(end.cost)).")
        return .success
    }

    private static func state(_ answer: JSON) -> String {
        "\(answer["version"]?.integer ?? 0) of \(answer["issued"]?.string ?? "?") is in force: \(answer["records"]?.integer ?? 0) records"
    }

    private func write(_ answer: JSON, _ text: String) {
        if json { StandardStream.output.write(answer) } else { StandardStream.output.write(line: text) }
    }
}
