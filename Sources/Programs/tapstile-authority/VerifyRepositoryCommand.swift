import Authority
import CommandLineOptions
import Encoding

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
