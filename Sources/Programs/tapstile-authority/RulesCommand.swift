import Authority
import CommandLineOptions
import Encoding

/// `rules FILE`, `rules FILE --check`, `rules --show`.
enum RulesCommand {
    static func run(_ command: ParsedCommand, folder: String, now: Int64) throws -> CommandEnd {
        if command.has("show") {
            if let path = command.operand(0) { throw CommandLineError.operandNotWanted(path) }
            try command.refuse(["check", "max-loss", "anyway"], beside: "show")
            return try show(command, Authority(openingFolder: folder))
        }
        guard let path = command.operand(0) else { throw CommandLineError.operandMissing("FILE") }
        if command.has("check") { return .done(report("The file is in order; nothing was kept.", path, try checked(path, folder))) }
        let taken = try Authority(openingFolder: folder).applyRules(at: path, mostLost: command.mostLost(), now: now)
        return .done(report("Took the site's rules. Gates know with the next publication; in a repository when targets have signed them ('ceremony' where those keys are elsewhere).", path, taken))
    }

    /// A file may be checked where there is no office, or one that another command has: then nobody knows its issuers.
    private static func checked(_ path: String, _ folder: String) throws(AuthorityError) -> AppliedRules {
        do throws(AuthorityError) {
            return try Authority(openingFolder: folder).checkRules(at: path)
        } catch {
            if case .noAuthority = error { return try Authority.checkRules(at: path) }
            if case .inUse = error { return try Authority.checkRules(at: path) }
            throw error
        }
    }

    private static func report(_ headline: String, _ path: String, _ taken: AppliedRules) -> Report {
        Report(headline, [
            ("file", .string(path)), ("rules", JSON(taken.rules)), ("memberships", JSON(taken.memberships)),
            ("warnings", taken.warnings.isEmpty ? .null : .array(taken.warnings.map { .string($0.description) }))
        ])
    }

    private static func show(_ command: ParsedCommand, _ authority: Authority) throws -> CommandEnd {
        guard let kept = try authority.keptRules() else { throw AuthorityError.noRules }
        let content = String(decoding: kept.text, as: UTF8.self)
        if command.has("json") {
            StandardStream.output.write(["kept": text(kept.keptAt), "text": .string(content)])
        } else {
            StandardStream.output.write(lines: content)
        }
        return .written(.success)
    }
}
