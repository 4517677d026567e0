import Authority
import CommandLineOptions
import Encoding
import Glibc

/// `role-key`, `draft`, `sign`, `accept`: what keys offline sign.
enum CeremonyCommands {
    static func role(_ text: String, wanted: [RepositoryRole] = RepositoryRole.allCases) throws(CommandLineError) -> RepositoryRole {
        guard let role = RepositoryRole(rawValue: text), wanted.contains(role) else {
            throw .badValue(option: "role", value: text, wanted: wanted.map(\.rawValue).joined(separator: ", "))
        }
        return role
    }

    static func roleKey(_ command: ParsedCommand) throws -> Report {
        let role = try role(command.required("role"))
        let path = try command.required("out")
        let (publicPath, identifier) = try Authority.makeRoleKey(role, at: path)
        return Report("Made a key. It stays on this machine; the authority gets the public half.", [
            ("role", .string(role.rawValue)), ("keyid", .string(identifier)), ("key", .string(path)), ("public", .string(publicPath))
        ])
    }

    static func draft(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        let role = try role(command.operand(0) ?? "", wanted: [.root, .targets])
        let path = try command.required("out")
        let draft = try authority.draft(role, now: now)
        try Authority.write(draft.bytes, to: path)
        return Report("Wrote a draft; nothing counts before it is signed and accepted.", facts(authority.judge(draft)) + [("file", .string(path))])
    }

    static func sign(_ command: ParsedCommand, _ clock: OfficeClock) throws -> Report {
        let path = try command.required("out")
        let key = try command.required("key")
        let judged = try Authority.judge(Authority.draft(at: command.operand(0) ?? ""), forKeyAt: key, roots: command.values("root"))
        try show(judged, command, clock)
        let signature = try Authority.sign(judged, withKeyAt: key)
        try Authority.write(signature.text, to: path)
        return Report("Signed.", facts(judged) + [("keyid", .string(signature.keyIdentifier)), ("file", .string(path))])
    }

    /// Nobody signs what he was not shown, nor unasked by a clock that may be wrong.
    static func show(_ judged: JudgedDraft, _ command: ParsedCommand, _ clock: OfficeClock) throws {
        let objection = clock.objection(toDraftOf: judged.date)
        guard command.has("yes") else { return try ask(judged, objection, command) }
        if let objection { throw objection }
        try checkCompared(judged, command)
    }

    /// - Parameter objection: what is wrong with this machine's clock. Whoever writes yes has read the draft's date, and this.
    static func ask(_ judged: JudgedDraft, _ objection: AuthorityError?, _ command: ParsedCommand) throws {
        let warning = objection.map { ["! \($0.code): \($0.message)"] } ?? []
        try ask(judged.lines, summary: judged.summary, warning: warning, "Sign this? Write yes.", command) { NotSigned.declined }
    }

    /// Shows lines to a person, who says yes, or it is not done. A yes that comes from no terminal is a program's: that says --yes.
    /// - Parameters:
    ///   - summary: stands below what is more than one page.
    ///   - warning: stands below all else.
    static func ask(_ lines: [String], summary: [String] = [], warning: [String] = [], _ question: String, _ command: ParsedCommand,
                    otherwise: () -> any Error) throws {
        guard !command.has("json") else { throw CommandLineError.optionMissing("yes") }
        // A no is an answer of programs, too; to show them anything is no use.
        guard isatty(STDIN_FILENO) == 1 else { throw readLine().map { $0 == "yes" } ?? true ? CommandLineError.optionMissing("yes") : otherwise() }
        let pages = ShownPages()
        let shown = lines + (pages.isLong(lines + warning) ? summary : []) + warning
        guard pages.show(shown) else { throw otherwise() }
        StandardStream.output.write(line: question)
        guard readLine() == "yes" else { throw otherwise() }
    }

    /// Whoever signs unasked has not read it whole, unless he says so.
    static func checkCompared(_ judged: JudgedDraft, _ command: ParsedCommand) throws {
        guard judged.past.isKnown || command.has("uncompared") else { throw NotSigned.notCompared }
    }

    static func accept(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> CommandEnd {
        let draft = try Authority.draft(at: command.operand(0) ?? "")
        guard command.has("signature") else { throw CommandLineError.optionMissing("signature") }
        let signatures = try command.values("signature").map { path throws(AuthorityError) in try Authority.signature(of: draft, at: path) }
        guard let published = try authority.accept(draft, signatures, now: now) else {
            return .done(Report("Accepted. Now 'draft targets': it is signed by its keys and accepted.", facts(authority.judge(draft))))
        }
        return .published(published, "Accepted and published.")
    }

    static func facts(_ judged: JudgedDraft) -> [(String, JSON)] {
        let draft = judged.draft
        return [("role", .string(draft.role.rawValue)), ("version", .integer(draft.version)), ("expires", text(draft.expires)),
                ("draft", .string(Hex.encode(draft.identifier))), ("compared", .bool(judged.past.isKnown)), ("says", .array(judged.lines.map(JSON.string)))]
    }
}

/// Why nothing was signed.
enum NotSigned: ReportableError {
    /// The person said so.
    case declined
    /// The office said so: nothing that was signed was taken.
    case notTaken
    /// Nobody would have read it.
    case notCompared

    var code: String {
        switch self {
        case .declined: "not-signed"
        case .notTaken: "not-taken"
        case .notCompared: "draft-not-compared"
        }
    }

    var message: String {
        switch self {
        case .declined: "Nothing was signed."
        case .notTaken: "Nothing was taken; the ceremony is as it was. If the keys are wrong, 'ceremony --cancel' gives it up."
        case .notCompared:
            "What is in force is not known to this key, so that nothing can be compared. Sign without --yes and read all of it; or name a root that you "
                + "trust with --root; or say with --uncompared that you have read it."
        }
    }
}
