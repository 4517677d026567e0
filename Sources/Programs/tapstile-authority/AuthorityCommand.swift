import Authority
import CommandLineOptions
import Encoding
import Glibc

/// Runs a command.
enum AuthorityCommand {
    static func run(_ command: ParsedCommand) throws -> CommandEnd {
        guard let verb = AuthorityVerb(rawValue: command.name) else { throw CommandLineError.noCommand(known: []) }
        let clock = OfficeClock.machine(isChecked: command.has("clock-checked"))
        let now = clock.now
        let folder = command.value("dir") ?? "."
        if verb.signsDates { try clock.check() }
        // A new key of a role takes no file's place at all.
        if verb != .roleKey, let path = command.value("out") { try Authority.checkPlace(of: path) }
        switch verb {
        case .make: return .done(try InitCommand.run(command, folder: folder, now: now))
        case .gate: return .done(try GateCommand.run(command, Authority(openingFolder: folder), now: now))
        case .token: return .done(try TokenCommand.run(command, office(folder, clock), now: now))
        case .issuer: return .done(try IssuerCommand.run(command, Authority(openingFolder: folder), now: now))
        case .enrol: return .done(try EnrolCommand.run(command, Authority(openingFolder: folder), now: now))
        case .card: return .done(try CardCommand.run(command, Authority(openingFolder: folder), now: now))
        case .lost: return .done(try LostCommand.run(command, whenFree(folder), now: now))
        case .ban: return .done(try BanCommand.ban(command, whenFree(folder), now: now))
        case .unban: return .done(try BanCommand.lift(command, whenFree(folder)))
        case .revoke: return .done(try RevokeCommand.run(command, whenFree(folder), now: now))
        case .suspend: return .done(try SuspendCommand.suspend(command, whenFree(folder), now: now))
        case .resume: return .done(try SuspendCommand.resume(command, whenFree(folder)))
        case .rules: return try RulesCommand.run(command, folder: folder, now: now)
        case .importPeople: return try ImportCommand.run(command, Authority(openingFolder: folder), now: now)
        case .export: return try ExportCommand.run(command, office(folder, clock), now: now)
        case .publish: return try PublishCommand.run(command, folder: folder, clock)
        case .ceremony: return try CeremonyCommand.run(command, clock)
        case .roleKey: return .done(try CeremonyCommands.roleKey(command))
        case .draft: return .done(try CeremonyCommands.draft(command, office(folder, clock), now: now))
        case .sign: return .done(try CeremonyCommands.sign(command, clock))
        case .accept: return try CeremonyCommands.accept(command, office(folder, clock), now: now)
        case .rotate: return try RotateCommand.rotate(command, office(folder, clock), now: now)
        case .newEpoch: return try RotateCommand.newEpoch(office(folder, clock), now: now)
        case .verifyRepository: return .done(try VerifyRepositoryCommand.run(command, now: now))
        case .checkGates: return .written(try CheckGatesCommand.run(command, Authority(openingFolder: folder), now: now))
        case .list:
            try ListCommand.run(command, whenFree(folder), now: now)
            return .written(.success)
        case .verifyEvidence:
            return .written(try VerifyEvidenceCommand.run(command, now: now))
        case .verifyJournal:
            return .written(try VerifyJournalCommand.run(command))
        }
    }

    /// The authority in a folder, which another command may have for a moment: whoever looks something up, or takes something back, does not have to come again.
    private static func whenFree(_ folder: String) throws(AuthorityError) -> Authority {
        for _ in 0..<tries {
            do throws(AuthorityError) {
                return try Authority(openingFolder: folder)
            } catch {
                guard case .inUse = error else { throw error }
                usleep(pause)
            }
        }
        return try Authority(openingFolder: folder)
    }

    /// Ten seconds.
    private static let tries = 100, pause: UInt32 = 100_000

    /// The authority in a folder, with notes of what it publishes.
    static func noted(_ folder: String) throws(AuthorityError) -> Authority {
        let authority = try Authority(openingFolder: folder)
        authority.notes = notes
        authority.repositoryGroup = getenv(Authority.groupVariable).flatMap { getgrnam($0) }.map { UInt32($0.pointee.gr_gid) }
        return authority
    }

    /// The folder for them.
    static var notes: String { getenv(Authority.notesVariable).map { String(cString: $0) } ?? Authority.usualNotes }

    /// The authority in a folder, by a clock that fits what it has signed last.
    static func office(_ folder: String, _ clock: OfficeClock) throws(AuthorityError) -> Authority {
        let authority = try noted(folder)
        try clock.check(against: authority.lastDate())
        return authority
    }
}
