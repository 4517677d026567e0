import Authority
import CommandLineOptions
import Encoding
import Evidence
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
        case .issuer: return .done(try IssuerCommand.run(command, whenFree(folder), now: now))
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
        case .serve: return try ServeCommand.run(command, folder: folder, clock)
        case .invite: return try InviteCommand.run(command, folder: folder, clock)
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

enum InitCommand {
    static func run(_ command: ParsedCommand, folder: String, now: Int64) throws -> Report {
        let site = try command.required("site")
        let authority = try Authority.make(inFolder: folder, site: site, issuer: command.value("issuer") ?? site,
                                           gateIssuer: command.value("gate-issuer"), now: now)
        return Report("Made an authority.", [
            ("site", .string(authority.site)), ("issuer", .string(authority.issuer)), ("folder", .string(folder))
        ])
    }
}

/// `verify-repo DIR`.
enum VerifyRepositoryCommand {
    static func run(_ command: ParsedCommand, now: Int64) throws -> Report {
        let found = try RepositoryCheck.run(command.operand(0) ?? "", rootAt: command.value("root"), at: command.time("at") ?? now)
        return Report("A gate takes this repository.", [
            ("version", found.state.map { .integer(Int64(clamping: $0.version)) } ?? .null),
            ("epoch", found.state.map { .integer(Int64(clamping: $0.epoch)) } ?? .null),
            ("versions", .object(JSONObject(RepositoryRole.allCases.compactMap { role in found.versions[role].map { (role.rawValue, .integer($0)) } }))),
            ("expires", text(found.expires)),
            ("targets", .object(JSONObject(found.targets.map { ($0.key, .integer($0.value)) })))
        ])
    }
}

/// `verify-journal`: a copied journal from end to end, the signed checkpoints in it, and one from outside.
enum VerifyJournalCommand {
    static func run(_ command: ParsedCommand) throws -> ExitStatus {
        let verdict = try Authority.verifyJournal(
            at: command.operand(0) ?? "", keys: command.values("audit-key").map { try Authority.auditKey(at: $0) },
            site: command.value("site"), gate: command.value("gate"),
            outside: command.value("since-checkpoint").map { try Authority.checkpoint(at: $0) })
        if command.has("json") {
            StandardStream.output.write(verdict.json)
        } else {
            for line in verdict.lines { StandardStream.output.write(line: line) }
            for limit in verdict.limits { StandardStream.output.write(line: "not found, whatever holds: \(limit)") }
        }
        return verdict.holds ? .success : .failure
    }
}

enum CardCommand {
    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        guard let number = try command.hexadecimal("uid") else { throw CommandLineError.optionMissing("uid") }
        if command.has("remove") {
            try command.refuse(["subject", "audience", "valid", "not-before", "expires"], beside: "remove")
            try authority.remove(card: number)
            return Report("Took a UID-only card off the list.", [("uid", .string(Hex.encode(number)))])
        }
        let rights = try command.rights(now: now, defaultSeconds: nil)
        let holder = try authority.holder(ofCard: number)
        let (card, isReplacement) = try authority.enrol(card: number, subject: command.required("subject"), rights: rights, now: now)
        let alike = isReplacement ? [] : try authority.warnings(ofNamesLike: card.subject)
        let moved = RightsWarning(from: holder, to: card.subject).map { [$0] } ?? []
        let warnings = ShownSome((moved + authority.warnings(of: rights, now: now)).map(\.description) + alike)
        return Report(isReplacement ? "Replaced what was known of a UID-only card." : "Enrolled a UID-only card.",
                      card.facts + [("assurance", "low"), ("replaced", .bool(isReplacement)), ("warnings", warnings.json)])
    }
}
