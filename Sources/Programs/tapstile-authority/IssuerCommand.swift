import Authority
import CommandLineOptions
import Encoding

/// `issuer`: who signs tokens, and how that changes.
enum IssuerCommand {
    private static let changes = ["rotate", "use", "drop-old", "emergency"]

    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        let change = try command.exactlyOne(of: changes)
        let name = command.value("issuer")
        if ["use", "drop-old"].contains(change) { try command.refuse(["issuer"], beside: change) }
        if change != "drop-old" { try command.refuse(["anyway"], beside: change) }
        switch change {
        case "rotate":
            return Report("Made a new token issuer beside the old one. Publish; when every gate has it: --use.",
                          facts(try authority.rotateIssuer(name: name, now: now)))
        case "use":
            return Report("Tokens are signed by the new issuer. From safeFrom on nobody needs the old one: --drop-old.",
                          facts(try authority.useNewIssuer(now: now)))
        case "emergency":
            return Report("Made a new token issuer in the place of the old one. Publish now; every token has to be issued anew.",
                          facts(try authority.replaceIssuer(name: name, now: now)))
        default:
            let dropped = try authority.dropOldIssuers(anyway: command.has("anyway"), now: now)
            return Report(dropped == 0 ? "There was nothing to drop." : "Gates are given the new issuer only. Publish.",
                          [("issuer", .string(authority.issuer)), ("dropped", .integer(Int64(dropped)))])
        }
    }

    private static func facts(_ handover: IssuerHandover) -> [(String, JSON)] {
        [("issuer", .string(handover.issuer)), ("publicKey", .string(handover.publicPath)), ("safeFrom", text(handover.safeFrom)),
         ("tokens", JSON(handover.tokens))]
    }
}
