import Authority
import CommandLineOptions
import Encoding
import Glibc

/// `ceremony FOLDER`: whoever calls it does what is his to do now, and hears who is next and what that person types.
enum CeremonyCommand {
    private static let forOffice = ["repo", "replace", "root-holder", "targets-holder", "remove", "root-threshold", "targets-threshold", "cancel"]
        + RepositoryRole.allCases.map { "expires-\($0.rawValue)" }
    private static let forHolders = ["key", "root", "uncompared"]

    static func run(_ command: ParsedCommand, _ clock: OfficeClock) throws -> CommandEnd {
        let path = command.operand(0) ?? ""
        let isOffice = command.has("dir") || forOffice.contains(where: command.has) || (!command.has("key") && access("authority.db", F_OK) == 0)
        guard isOffice else { return try CeremonyHolders(path, command, clock).run() }
        try command.refuse(forHolders, beside: "dir")
        try clock.check()
        return try office(command, path, AuthorityCommand.office(command.value("dir") ?? ".", clock), now: clock.now)
    }

    // The office ----------------------------------------------------------------------------------

    private static func office(_ command: ParsedCommand, _ path: String, _ authority: Authority, now: Int64) throws -> CommandEnd {
        guard !command.has("cancel") else {
            return .done(cancelled(try authority.cancelCeremony(at: path)))
        }
        guard let ceremony = try authority.ceremony(at: path, plan(command), now: now) else { return .done(Report("Nothing has to be signed.", [("turn", .null)])) }
        guard let result = try ceremony.result() else { return .done(try report("It is the turn of others; carry the folder to them.", ceremony, command)) }
        // Whose keys begin a site says nothing but the medium.
        if ceremony.isFirst, !command.has("yes") {
            let lines = try result.drafts.flatMap { try ceremony.naming(authority.judge($0)).lines }
            try CeremonyCommands.ask(lines, "Are these the keys that their holders have written down? Write yes.", command) { NotSigned.notTaken }
        }
        guard let published = try authority.finish(ceremony, result, now: now) else { return .done(Report("Taken.", [])) }
        let ends = [RepositoryRole.targets, .root].compactMap { role in published.expires[role].map { "\(role.rawValue) before \(UTCText.make(seconds: $0))" } }
        return .published(published, "Taken and published. To be signed again: \(ends.joined(separator: ", ")).")
    }

    /// A signature is one wherever it was copied: nobody can give it up.
    private static func cancelled(_ left: [CarriedCeremony.Signed]?) -> Report {
        guard let left else {
            return Report("No ceremony is under way any more. Its medium is not here: what lies on it and was signed counts, wherever it was copied.",
                          [("signed", .null)])
        }
        let headline = "No ceremony is under way any more."
        let facts: [JSON] = left.map { draft in
            ["role": .string(draft.role.rawValue), "version": .integer(draft.version), "by": .array(draft.names.map(JSON.string)), "enough": .bool(draft.isEnough)]
        }
        guard !left.isEmpty else { return Report("\(headline) Nobody has signed any of it on this medium.", [("signed", .array([]))]) }
        let lines = left.map { draft in
            "\(draft.role.rawValue) version \(draft.version) was signed by \(draft.names.joined(separator: ", ")), and counts wherever it was copied: "
                + (draft.isEnough ? "gates take it. If its keys are not the right ones, count that as stolen keys of \(draft.role.rawValue)."
                    : "let nobody else sign it, and publish another version \(draft.version) soon.")
        }
        return Report(headline, [("signed", .array(facts))], lines: lines.map { "! \($0)" })
    }

    private static func plan(_ command: ParsedCommand) throws -> CeremonyPlan {
        var plan = CeremonyPlan()
        plan.repository = command.value("repo")
        plan.isReplacement = command.has("replace")
        for role in [RepositoryRole.root, .targets] {
            let names = command.values("\(role.rawValue)-holder")
            if !names.isEmpty { plan.holders[role] = names }
            plan.thresholds[role] = try command.integer("\(role.rawValue)-threshold", in: 1...256)
        }
        for role in RepositoryRole.allCases { plan.validSeconds[role] = try command.seconds("expires-\(role.rawValue)") }
        plan.removed = try command.values("remove").map(removed)
        guard plan.repository != nil else {
            try command.refuse(["replace"] + RepositoryRole.allCases.map { "expires-\($0.rawValue)" }, besideNot: "repo")
            return plan
        }
        try command.refuse(["remove"], beside: "repo")
        for option in ["root-holder", "targets-holder"] where !command.has(option) { throw CommandLineError.optionMissing(option) }
        return plan
    }

    /// A file has a dot or a slash in its name; else it is the name or the identifier of a key.
    private static func removed(_ text: String) throws(AuthorityError) -> String {
        guard text.contains(where: { $0 == "." || $0 == "/" }) else { return text }
        if let key = try? Authority.roleKey(.root, at: text) { return key.metadataIdentifier }
        return try Authority.roleKey(.targets, at: text).metadataIdentifier
    }

    // Who is next ---------------------------------------------------------------------------------

    /// Who is next, and what that person types.
    static func report(_ headline: String, _ ceremony: CarriedCeremony, _ command: ParsedCommand, _ facts: [(String, JSON)] = []) throws -> Report {
        let steps = try ceremony.next()
        let lines = steps.isEmpty ? ["the office: tapstile-authority ceremony FOLDER --dir \(command.value("dir") ?? "OFFICE")"]
            : steps.map { line($0, ceremony.path) }
        return Report(headline, [("site", .string(ceremony.site)), ("folder", .string(ceremony.path))] + facts
                      + [("turn", .string(steps.isEmpty ? "office" : "holders")), ("next", .array(lines.map(JSON.string)))], lines: lines.map { "next: \($0)" })
    }

    static func line(_ step: CarriedCeremony.Step, _ folder: String) -> String {
        switch step {
        case .makeKey(let role, let name):
            "\(name) makes a key of \(role.rawValue): tapstile-authority ceremony \(folder) --key MEDIUM/\(name).key"
        case .sign(let role, let version, let more, let names):
            "\(names.count == 1 ? "" : "\(more) of ")\(names.joined(separator: ", ")) must sign \(role.rawValue) version \(version): tapstile-authority ceremony \(folder) --key MEDIUM/NAME.key"
        }
    }
}
