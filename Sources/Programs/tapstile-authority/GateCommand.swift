import Authority
import CommandLineOptions
import Encoding

enum GateCommand {
    private static let changes = ["rotate", "emergency", "credential", "drop-old"]

    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        let name = try command.required("name").composed
        guard let change = try change(command) else { return made(try authority.makeGates(name: name, now: now), authority) }
        let validSeconds = try command.seconds("valid")
        switch change {
        case "rotate":
            let (group, handover) = try authority.rotateGates(name: name, now: now)
            return Report("Made new keys beside the old ones. Gates may use them alone from safeFrom on.",
                          keys(group, authority) + facts(handover))
        case "emergency":
            let (group, tokens, handover) = try authority.replaceGates(name: name, validSeconds: validSeconds, now: now)
            return Report("Made new keys, with credentials for phones that do not know them. Bring both to every gate now.",
                          keys(group, authority) + facts(tokens) + facts(handover))
        case "credential":
            let (group, tokens) = try authority.vouchForGates(name: name, validSeconds: validSeconds, now: now)
            return Report("Wrote credentials for phones that do not know the keys.", keys(group, authority) + facts(tokens))
        default:
            let dropped = try authority.dropOldKeys(name: name, now: now)
            return Report(dropped == 0 ? "There was nothing to drop." : "Phones are given the newest keys only, from now on.",
                          [("name", .string(name)), ("dropped", .integer(Int64(dropped))), ("forPhones", .string(authority.knownGatesPath))])
        }
    }

    private static func change(_ command: ParsedCommand) throws(CommandLineError) -> String? {
        guard changes.contains(where: command.has) else {
            if command.has("valid") { throw .oneOptionNeeded(["emergency", "credential"]) }
            return nil
        }
        let change = try command.exactlyOne(of: changes)
        if ["rotate", "drop-old"].contains(change) { try command.refuse(["valid"], beside: change) }
        return change
    }

    private static func made(_ group: GateGroup, _ authority: Authority) -> Report {
        Report("Made the keys of a group of gates.", keys(group, authority))
    }

    private static func keys(_ group: GateGroup, _ authority: Authority) -> [(String, JSON)] {
        [("name", .string(group.name)), ("generation", .integer(Int64(group.generation))),
         ("signingKey", .string("\(group.folder)/\(GateGroup.signingKeyName)")),
         ("agreementKey", .string("\(group.folder)/\(GateGroup.agreementKeyName)")),
         ("forPhones", .string(authority.knownGatesPath)),
         ("signingCredential", .string(Hex.encode(group.signing.claims))),
         ("agreementCredential", .string(Hex.encode(group.agreement.claims)))]
    }

    private static func facts(_ tokens: GateTokens) -> [(String, JSON)] {
        [("signingToken", .string(tokens.signingPath)), ("agreementToken", .string(tokens.agreementPath)),
         ("expires", text(tokens.expiresAt))]
    }

    private static func facts(_ handover: GateHandover) -> [(String, JSON)] {
        [("safeFrom", text(handover.safeFrom)), ("enrolledWithoutEnd", .integer(Int64(handover.withoutEnd))),
         ("withoutGateIssuer", .integer(Int64(handover.withoutIssuer)))]
    }
}
