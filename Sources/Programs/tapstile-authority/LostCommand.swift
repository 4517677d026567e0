import Authority
import CommandLineOptions
import Credentials
import Encoding
import Glibc

/// `lost --subject NAME`: a phone is gone, and its owner stays.
enum LostCommand {
    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        let subject = try command.required("subject")
        let lost = try authority.lose(phonesOf: subject, now: now)
        authority.notes = AuthorityCommand.notes
        let issuers = try authority.namesOfUnknownTokens()
        let next = lost.isBanned ? "They are banned besides, and get no new phone." : "Enrol the new phone's key, or issue a token for it."
        let headline = (lost.keys.isEmpty ? "Every key of them was ended before. " : "Ended every key and token until now. ") + next
        // Nobody must go home content who has ended half of it.
        let unknown = issuers.isEmpty ? "" : " An old backup of this office was restored: tokens that \(issuers.joined(separator: " and ")) issued since are not known here, and a "
            + "phone with one still passes. If they may have had one: 'ban', or 'issuer --emergency' for everybody."
        let elsewhere = try authority.issuers().filter { $0.isElsewhere && $0.droppedAt == nil }.map(\.name)
        let others = elsewhere.isEmpty ? "" : " What \(elsewhere.joined(separator: " and ")) issued elsewhere is not known here: take that back there too."
        let facts: [(String, JSON)] = [
            ("subject", .string(subject)), ("keys", .array(lost.keys.map { .string(Hex.encode($0)) })), ("tokens", JSON(lost.tokens)),
            ("unknownTokensOf", .array(issuers.map(JSON.string))), ("cardsThatGoOn", JSON(lost.cards)), ("banned", .bool(lost.isBanned)),
            ("alsoRefusedWithThem", lost.others.isEmpty ? .null : .array(lost.others.sorted().map(JSON.string)))
        ]
        let alike = try authority.factsOfNames(like: subject)
        return Report(headline + unknown + others, facts + alike).then(try authority.whatGatesKnow(isNew: !lost.keys.isEmpty))
    }
}

/// `ban --subject NAME` and `unban --subject NAME`.
enum BanCommand {
    static func ban(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        let subject = try command.required("subject")
        if !command.has("anyway") { try authority.refuseUnknown(.subject(subject)) }
        let alike = try authority.factsOfNames(like: subject)
        try Confirmation.ask("Ban '\(subject)'\(try others(like: subject, authority)) for good: every key, token and card of theirs is refused, and they get no new one. For a lost phone there is "
            + "'lost', for a time 'suspend'.", command)
        let isNew = try authority.ban(subject: subject, now: now)
        return Report(isNew ? "Banned." : "They were banned before.", [("subject", .string(subject)), ("new", .bool(isNew))] + alike)
            .then(try authority.whatGatesKnow(isNew: isNew))
    }

    static func lift(_ command: ParsedCommand, _ authority: Authority) throws -> Report {
        let subject = try command.required("subject")
        try Confirmation.ask("Lift the ban of '\(subject)'\(try others(like: subject, authority)): every key, token and card of theirs that was not taken back by itself counts again.", command)
        try authority.liftBan(subject: subject)
        let alike = try authority.factsOfNames(like: subject)
        return Report("Lifted the ban.", [("subject", .string(subject))] + alike).then(try authority.whenGatesKnow)
    }

    /// Who is not meant, for the question.
    private static func others(like subject: String, _ authority: Authority) throws -> String {
        let names = try authority.namesLike(subject)
        return names.isEmpty ? "" : " (not \(names.map { "'\($0)'" }.joined(separator: ", ")))"
    }
}

/// Asks before what is not easily undone.
enum Confirmation {
    /// - Throws: unless the person says yes, here or by `--yes`.
    static func ask(_ question: String, _ command: ParsedCommand) throws {
        if command.has("yes") { return }
        guard isatty(STDIN_FILENO) == 1, !command.has("json") else { throw CommandLineError.optionMissing("yes") }
        StandardStream.output.write(line: question)
        StandardStream.output.write(line: "Write yes.")
        guard readLine() == "yes" else { throw Declined() }
    }

    private struct Declined: ReportableError {
        var code: String { "not-confirmed" }
        var message: String { "Nothing was changed." }
    }
}
