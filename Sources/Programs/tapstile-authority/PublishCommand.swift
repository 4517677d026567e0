import Authority
import CommandLineOptions
import Cryptography
import Encoding

/// `publish init`, `publish`, `publish --timestamp`.
enum PublishCommand {
    private static let forInit = ["together", "replace", "root-key", "root-threshold", "targets-key", "targets-threshold"]
        + RepositoryRole.allCases.map { "expires-\($0.rawValue)" }

    /// How long a copy counts that people carry.
    private static let usualStick: Int64 = 45 * 86_400

    static func run(_ command: ParsedCommand, folder: String, _ clock: OfficeClock) throws -> CommandEnd {
        let now = clock.now
        if let what = command.operand(0) {
            guard what == "init" else { throw CommandLineError.operandNotWanted(what) }
            try command.refuse(["dry-run", "changes-only", "timestamp", "key", "stick", "valid", "restored", "warn-before", "anyway"], beside: "init")
            return try begin(command, AuthorityCommand.office(folder, clock), now: now)
        }
        for option in forInit where command.has(option) { throw CommandLineError.operandMissing("init") }
        if command.has("timestamp") {
            try command.refuse(["stick", "valid", "changes-only", "restored", "warn-before", "anyway"], beside: "timestamp")
            return .done(try timestamp(command, folder: folder, now: now))
        }
        for option in ["key", "repo"] where command.has(option) { throw CommandLineError.optionMissing("timestamp") }
        let warnedBefore = try command.seconds("warn-before"), restored = try choice(command)
        if let path = command.value("stick") {
            try command.refuse(["dry-run", "changes-only"], beside: "stick")
            let published = try AuthorityCommand.office(folder, clock).publishStick(
                to: path, validSeconds: command.seconds("valid") ?? usualStick, restored: restored, isAnyway: command.has("anyway"), warnedBefore: warnedBefore, now: now)
            return .published(published, "Published, and made a copy to carry. Whoever has it can hold a gate on it until it is over.", restored)
        }
        if command.has("valid") { throw CommandLineError.optionMissing("stick") }
        let isRehearsal = command.has("dry-run")
        let published = try AuthorityCommand.office(folder, clock).publish(
            isRehearsal: isRehearsal, onlyChanges: command.has("changes-only"), restored: restored, isAnyway: command.has("anyway"), warnedBefore: warnedBefore,
            now: now)
        return .published(published, isRehearsal ? "This would be published; nothing was kept." : "Published.", restored)
    }

    private static func choice(_ command: ParsedCommand) throws(CommandLineError) -> RestoredOffice.Choice? {
        guard let text = command.value("restored") else { return nil }
        guard let choice = RestoredOffice.Choice(rawValue: text) else { throw .badValue(option: "restored", value: text, wanted: "repository or office") }
        return choice
    }

    private static func begin(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> CommandEnd {
        var plan = RepositoryPlan(path: try command.required("repo"))
        plan.isTogether = command.has("together")
        plan.isReplacement = command.has("replace")
        if plan.isTogether { try command.refuse(["root-key", "root-threshold", "targets-key", "targets-threshold"], beside: "together") }
        for role in RepositoryRole.allCases {
            plan.keys[role] = try command.values("\(role.rawValue)-key").map { path throws(AuthorityError) in try Authority.roleKey(role, at: path) }
            plan.thresholds[role] = try command.integer("\(role.rawValue)-threshold", in: 1...256)
            plan.validSeconds[role] = try command.seconds("expires-\(role.rawValue)")
        }
        if !plan.isTogether {
            for option in ["root-key", "targets-key"] where !command.has(option) { throw CommandLineError.optionMissing(option) }
        }
        guard let published = try authority.makeRepository(plan, now: now) else {
            return .done(Report("Began a repository. Now 'draft root', then 'draft targets': each is signed by its keys and accepted.",
                                [("repo", .string(plan.path)), ("keys", .array(try authority.roleKeys().filter { $0.until == nil }.map(\.json)))]))
        }
        return .published(published, "Began a repository and published. Who has this folder's keys can do everything that any key of the site can.")
    }

    private static func timestamp(_ command: ParsedCommand, folder: String, now: Int64) throws -> Report {
        let isRehearsal = command.has("dry-run")
        let refreshed: TimestampRefresh.Refreshed
        if command.has("key") {
            refreshed = try TimestampRefresh.run(repositoryAt: command.required("repo"), keysAt: command.values("key"), isRehearsal: isRehearsal, now: now,
                                                 isClockChecked: command.has("clock-checked"))
        } else {
            if command.has("repo") { throw CommandLineError.optionMissing("key") }
            refreshed = try AuthorityCommand.noted(folder).refreshTimestamp(isRehearsal: isRehearsal, now: now, isClockChecked: command.has("clock-checked"))
        }
        return Report(isRehearsal ? "This timestamp would be signed; nothing was kept." : "Signed a new timestamp.", [
            ("version", .integer(refreshed.version)), ("expires", text(refreshed.expires)), ("snapshot", .integer(refreshed.snapshot))
        ])
    }
}

extension RoleKey {
    /// The key, for reports.
    var json: JSON {
        .object(JSONObject([("role", .string(role.rawValue)), ("keyid", .string(identifier)), ("here", .bool(file != nil))]))
    }
}
