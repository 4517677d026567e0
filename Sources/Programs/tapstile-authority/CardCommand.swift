import Authority
import CommandLineOptions
import Encoding

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
        let warnings = ToldSome((moved + authority.warnings(of: rights, now: now)).map(\.description) + alike)
        return Report(isReplacement ? "Replaced what was known of a UID-only card." : "Enrolled a UID-only card.",
                      card.facts + [("assurance", "low"), ("replaced", .bool(isReplacement)), ("warnings", warnings.json)])
    }
}
