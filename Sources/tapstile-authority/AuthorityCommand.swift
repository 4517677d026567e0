import Authority
import CLinux
import CommandLineOptions
import Encoding

/// Runs a command.
enum AuthorityCommand {
    /// - Returns: what was done; nil if the command has written its lines itself.
    static func run(_ command: ParsedCommand) throws -> Report? {
        guard let verb = AuthorityVerb(rawValue: command.name) else { throw CommandLineError.noCommand(known: []) }
        let now = clinux_realtime_nanoseconds() / 1_000_000_000
        let folder = command.value("dir") ?? "."
        switch verb {
        case .make: return try InitCommand.run(command, folder: folder, now: now)
        case .gate: return try GateCommand.run(command, Authority(openingFolder: folder), now: now)
        case .token: return try TokenCommand.run(command, Authority(openingFolder: folder), now: now)
        case .enrol: return try EnrolCommand.run(command, Authority(openingFolder: folder), now: now)
        case .revoke: return try RevokeCommand.run(command, Authority(openingFolder: folder), now: now)
        case .export: return try ExportCommand.run(command, Authority(openingFolder: folder), now: now)
        case .list:
            try ListCommand.run(command, Authority(openingFolder: folder))
            return nil
        }
    }
}
