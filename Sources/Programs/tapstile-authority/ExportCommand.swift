import Authority
import CommandLineOptions
import Encoding

enum ExportCommand {
    private static let usualSeconds: Int64 = 30 * 86400
    private static let mostWarnings = 100

    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> CommandEnd {
        let path = try command.required("out")
        let above = try command.integer("min-version", in: 0...Int(Authority.highestFloor)) ?? 0
        let made = try authority.export(to: path, validSeconds: command.seconds("valid") ?? usualSeconds,
                                        above: UInt64(above), now: now)
        let warnings = made.heldBack.prefix(mostWarnings).map { JSON.string("\($0.code): \($0.message)") }
        let report = Report("Wrote a publication.", [
            ("file", .string(path)), ("site", .string(authority.site)), ("version", .integer(Int64(made.version))),
            ("issued", text(made.issuedAt)), ("expires", text(made.expiresAt)), ("bytes", JSON(made.byteCount)),
            ("issuers", .integer(Int64(made.counts.issuers))), ("gateCredentials", .integer(Int64(made.counts.gateCredentials))),
            ("enrolled", .integer(Int64(made.counts.enrolled))), ("revocations", .integer(Int64(made.counts.revocations))),
            ("rules", .integer(Int64(made.counts.rules))), ("memberships", .integer(Int64(made.counts.memberships))),
            ("uidOnlyCards", .integer(Int64(made.counts.uidOnlyCards))), ("leftOut", JSON(made.heldBack.count)),
            ("warnings", warnings.isEmpty ? .null : .array(Array(warnings)))
        ])
        return warnings.isEmpty ? .done(report) : .warned(report)
    }
}
