import Audit
import Authority
import CommandLineOptions
import Encoding

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
