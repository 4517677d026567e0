import Authority
import CLinux
import CommandLineOptions
import Encoding

/// Runs a command.
enum AuthorityCommand {
    static func run(_ command: ParsedCommand) throws -> CommandEnd {
        guard let verb = AuthorityVerb(rawValue: command.name) else { throw CommandLineError.noCommand(known: []) }
        let now = clinux_realtime_nanoseconds() / 1_000_000_000
        let folder = command.value("dir") ?? "."
        switch verb {
        case .make: return .done(try InitCommand.run(command, folder: folder, now: now))
        case .gate: return .done(try GateCommand.run(command, Authority(openingFolder: folder), now: now))
        case .token: return .done(try TokenCommand.run(command, Authority(openingFolder: folder), now: now))
        case .issuer: return .done(try IssuerCommand.run(command, Authority(openingFolder: folder), now: now))
        case .enrol: return .done(try EnrolCommand.run(command, Authority(openingFolder: folder), now: now))
        case .card: return .done(try CardCommand.run(command, Authority(openingFolder: folder), now: now))
        case .revoke: return .done(try RevokeCommand.run(command, Authority(openingFolder: folder), now: now))
        case .suspend: return .done(try SuspendCommand.suspend(command, Authority(openingFolder: folder), now: now))
        case .resume: return .done(try SuspendCommand.resume(command, Authority(openingFolder: folder)))
        case .rules: return try RulesCommand.run(command, folder: folder, now: now)
        case .importPeople: return try ImportCommand.run(command, Authority(openingFolder: folder), now: now)
        case .export: return .done(try ExportCommand.run(command, Authority(openingFolder: folder), now: now))
        case .publish: return .done(try PublishCommand.run(command, folder: folder, now: now))
        case .roleKey: return .done(try CeremonyCommands.roleKey(command))
        case .draft: return .done(try CeremonyCommands.draft(command, Authority(openingFolder: folder), now: now))
        case .sign: return .done(try CeremonyCommands.sign(command))
        case .accept: return .done(try CeremonyCommands.accept(command, Authority(openingFolder: folder), now: now))
        case .rotate: return .done(try RotateCommand.rotate(command, Authority(openingFolder: folder), now: now))
        case .newEpoch: return .done(try RotateCommand.newEpoch(Authority(openingFolder: folder), now: now))
        case .verifyRepository: return .done(try VerifyRepositoryCommand.run(command, now: now))
        case .checkGates: return .written(try CheckGatesCommand.run(command, Authority(openingFolder: folder), now: now))
        case .list:
            try ListCommand.run(command, Authority(openingFolder: folder))
            return .written(.success)
        case .verifyEvidence:
            return .written(try VerifyEvidenceCommand.run(command))
        case .verifyJournal:
            return .written(try VerifyJournalCommand.run(command))
        }
    }
}
